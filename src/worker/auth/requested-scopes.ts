import type { Scope } from '#shared/access/caller'
import { ApiError, fieldError } from '#shared/errors/errors'

/**
 * The scopes of a credential, or those of them that the request asks for (RFC 6749, section 3.3).
 *
 * @param requested names with spaces between them; undefined when the request does not ask
 * @throws ApiError 400 `invalid_scope` for a scope that the credential does not have, or that does not exist
 */
export function grantedScopes(
  credential: 'API key' | 'partner token',
  permitted: readonly Scope[],
  requested: string | undefined,
): readonly Scope[] {
  if (requested === undefined) return permitted
  const names = new Set(requested.split(' ').filter((name) => name !== ''))
  const granted = permitted.filter((scope) => names.has(scope))
  if (granted.length === names.size && names.size > 0) return granted
  throw new ApiError('invalid_request', `The request asks for a scope that the ${credential} does not have.`, {
    oauth: 'invalid_scope',
    errors: [
      fieldError(
        null,
        'scope',
        'not_allowed',
        `must name scopes of the ${credential}, separated by spaces; they are: ${permitted.join(' ')}`,
        requested,
      ),
    ],
  })
}
