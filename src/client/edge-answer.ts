/**
 * A response of Cloudflare's edge in place of the service (Cloudflare, "1xxx errors" and "Detect a challenge page
 * response"): a page that checks for a human visitor, or a numbered error.
 */
interface EdgeAnswer {
  /** `challenge`, or Cloudflare's error number: `1020`. */
  code: string
  /** What happened and what to do, in sentences. */
  message: string
  /** Whether every request gets it until someone changes a setting. */
  isLasting: boolean
}

const ERROR_NUMBER = /\berror code: ?(1\d{3})\b|class="cf-error-code">(1\d{3})</i

const ASK = 'Retrying does not help. The operator must allow API clients: see docs/troubleshooting.md of the service.'

const CHALLENGE: EdgeAnswer = {
  code: 'challenge',
  message: `Cloudflare blocked the request with a challenge for browsers. It did not reach the service. ${ASK}`,
  isLasting: true,
}

/** Errors by which the domain's settings block a caller: addresses, countries, clients, firewall rules. */
const REFUSALS: readonly string[] = ['1005', '1006', '1007', '1008', '1009', '1010', '1012', '1020']

const KNOWN: Readonly<Record<string, string>> = {
  1015: 'a rate limit of the domain, not of the service. Try again later, or ask the operator to exempt the service.',
  1027: 'the account has used up its requests for today. The service needs the paid Workers plan.',
  1101: 'the service failed without a response. The operator can find the reason in its log.',
  1102: 'the service exceeded its CPU time or memory. The operator should check its log and `limits`.',
}

function numbered(code: string): EdgeAnswer {
  if (REFUSALS.includes(code)) {
    const message = `A Cloudflare setting of the domain blocks the request (error code: ${code}). ${ASK}`
    return { code, message, isLasting: true }
  }
  const what = KNOWN[code] ?? "see Cloudflare's list of 1xxx errors."
  return {
    code,
    message: `Cloudflare responded instead of the service (error code: ${code}): ${what}`,
    isLasting: false,
  }
}

/** @param text the body of the response @returns undefined if it is not one of Cloudflare's own */
export function edgeAnswerOf(headers: Headers, text: string): EdgeAnswer | undefined {
  if (headers.get('cf-mitigated') === 'challenge') return CHALLENGE
  const [, plain, page] = ERROR_NUMBER.exec(text) ?? []
  const code = plain ?? page
  return code === undefined ? undefined : numbered(code)
}
