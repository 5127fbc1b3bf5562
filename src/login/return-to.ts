import { invalidField } from '#errors'
import { MAX_RETURN_TO_LENGTH } from '#limits'

/** Where a login leads. */
export interface ReturnTo {
  /** `page`: of this service, for browsers; `loopback`: of this machine, for command-line clients (RFC 8252, section 7.3). */
  kind: 'page' | 'loopback'
  /** Absolute, so that it is never resolved against anything again. */
  url: URL
}

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/

// A backslash is a slash to browsers; control characters are dropped by URL parsers, and what was apart comes together.
const UNSAFE = /[\\\p{Cc}]/u

const refused = (value: string, msg: string) => invalidField('return_to', 'not_allowed', msg, value)

/**
 * Decides whether a login may lead to an address (decisions, section 13), so that nobody is sent elsewhere by a link to
 * this service: only to a path of it, or to a server on the user's own machine, by its number and not by a name.
 *
 * @param issuer public address of the service
 * @throws ApiError 400 for anything else
 */
export function parseReturnTo(value: string, issuer: string): ReturnTo {
  if (value.length > MAX_RETURN_TO_LENGTH) {
    throw refused(
      value.slice(0, MAX_RETURN_TO_LENGTH),
      `must have at most ${MAX_RETURN_TO_LENGTH} characters`,
    )
  }
  const url = UNSAFE.test(value) || !value.isWellFormed() ? null : URL.parse(value, issuer)
  if (url !== null) {
    if (/^\/(?!\/)/.test(value) && url.origin === new URL(issuer).origin && !url.pathname.startsWith('//')) {
      return { kind: 'page', url }
    }
    if (LOOPBACK.test(value) && url.hash === '' && !value.includes('#')) return { kind: 'loopback', url }
  }
  throw refused(value, 'must be a path of this service, or a loopback address such as http://127.0.0.1:4711/')
}
