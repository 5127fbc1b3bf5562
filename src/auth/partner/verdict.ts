/** Why a partner token is refused, in the order of the checks. For the log only; the client never sees it. */
export type PartnerTokenError =
  | 'form: too long'
  | 'form: not five parts'
  | 'form: not base64url'
  | 'form: encrypted key'
  | 'form: initialization vector'
  | 'form: authentication tag'
  | 'header: not an object with each member once'
  | `header: ${'alg' | 'enc' | 'zip' | 'crit' | 'kid'}`
  | 'key: unknown or revoked'
  | 'decryption'
  | 'claims: not an object with each member once'
  | `claims: ${'iss' | 'aud' | 'sub' | 'mobile_number' | 'iat' | 'exp' | 'jti'}`
  | 'window: expired'
  | 'window: issued in the future'
  | 'window: expires before it is issued'
  | 'window: too long'
  | 'replay'

export interface Refused {
  ok: false
  error: PartnerTokenError
}

export type Checked<T> = { ok: true; value: T } | Refused

export const accepted = <T>(value: T): Checked<T> => ({ ok: true, value })

export const refused = (error: PartnerTokenError): Refused => ({ ok: false, error })
