import { invalidField } from '#shared/errors/errors'
import { MAX_RETURN_TO_LENGTH } from '#shared/limits'

/** The address to which a login leads. */
interface ReturnTo {
  /**
   * `page`: a page of this service, for browsers. `loopback`: an address of the user's computer, for command-line
   * clients (RFC 8252, section 7.3).
   */
  kind: 'page' | 'loopback'
  /** Absolute, so that it is not resolved against another address later. */
  url: URL
}

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/

// Browsers read a backslash as a slash. URL parsers drop control characters, which joins the text on both sides.
const UNSAFE = /[\\\p{Cc}]/u

const refusedAddress = (value: string, msg: string) => invalidField('return_to', 'not_allowed', msg, value)

/**
 * Checks the address to which a login leads (docs/contract.md#return-addresses), so that no link to this service can
 * send people elsewhere. It must be a path of this service or a loopback address of the user's computer, with the
 * number and not the name of the host.
 *
 * @param issuer public address of the service
 * @throws ApiError 400 for anything else
 */
export function parseReturnTo(value: string, issuer: string): ReturnTo {
  if (value.length > MAX_RETURN_TO_LENGTH) {
    throw refusedAddress(value.slice(0, MAX_RETURN_TO_LENGTH), `must have at most ${MAX_RETURN_TO_LENGTH} characters`)
  }
  const url = UNSAFE.test(value) || !value.isWellFormed() ? null : URL.parse(value, issuer)
  if (url !== null) {
    if (/^\/(?!\/)/.test(value) && url.origin === new URL(issuer).origin && !url.pathname.startsWith('//')) {
      return { kind: 'page', url }
    }
    if (LOOPBACK.test(value) && url.hash === '' && !value.includes('#')) return { kind: 'loopback', url }
  }
  throw refusedAddress(value, 'must be a path of this service, or a loopback address such as http://127.0.0.1:4711/')
}
