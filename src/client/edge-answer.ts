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

const ASK = 'Another attempt does not help. The operator lets programs through: docs/troubleshooting.md of the service.'

const CHALLENGE: EdgeAnswer = {
  code: 'challenge',
  message: `Cloudflare asks whether a person is there (a challenge), before the service has seen the request. ${ASK}`,
  isLasting: true,
}

/** Errors by which the domain's settings block a caller: addresses, countries, clients, firewall rules. */
const REFUSALS: readonly string[] = ['1005', '1006', '1007', '1008', '1009', '1010', '1012', '1020']

const KNOWN: Readonly<Record<string, string>> = {
  1015: 'a rate limit of the domain, which is not one of the service. Call later, or ask the operator to leave it out.',
  1027: 'the account has no requests left today: the service needs the paid Workers plan.',
  1101: 'the service has failed without an answer. Its log says why; the operator looks there.',
  1102: 'the service has used more CPU time or memory than it may. The operator looks at its log and at `limits`.',
}

function numbered(code: string): EdgeAnswer {
  if (REFUSALS.includes(code)) {
    const message = `A setting of the domain at Cloudflare refuses the request (error code: ${code}). ${ASK}`
    return { code, message, isLasting: true }
  }
  const what = KNOWN[code] ?? "see Cloudflare's list of 1xxx errors."
  return {
    code,
    message: `Cloudflare answered in place of the service (error code: ${code}): ${what}`,
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
