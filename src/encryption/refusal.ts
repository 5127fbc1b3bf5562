import { ApiError } from '#errors'

/** Why an encrypted body cannot be decrypted; for the log only. */
export type BodyError =
  | 'not a JSON object with known members as strings, each once'
  | 'a member that is not allowed'
  | 'the protected header is too long'
  | 'a member is missing'
  | 'a member is not base64url in its canonical form'
  | 'the protected header is not a JSON object with each member once'
  | 'the protected header has an unknown member'
  | 'alg is not dir'
  | 'enc is not A128CBC-HS256'
  | 'no kid'
  | 'kid of header and body differ'
  | 'no live key of the workspace has this kid'
  | 'the integrity check failed'

/**
 * The 400 for a body that cannot be decrypted. It is the same for every cause
 * (docs/contract.md#encrypted-answers).
 */
export const undecryptable = (error: BodyError): ApiError =>
  new ApiError('invalid_request', 'The encrypted body cannot be decrypted.', {
    reason: `encrypted body: ${error}`,
  })
