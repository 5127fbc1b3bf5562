import type * as z from 'zod'
import { ApiError, type FieldError } from '#errors/errors'
import { json, type RequestBody } from '#http/body/request-body'
import { readJson } from '#http/endpoint/validation'
import type { ClientCredentials } from './client-credentials'
import { tokenRequestSchema } from './schemas'

/** `scope` is what the request asks for, as sent. */
type TokenRequest = ClientCredentials & { scope: string | undefined }

// This field, or a body of the wrong form, may hold the real secret, so the error does not repeat it.
const withoutSecret = (error: FieldError): FieldError =>
  error.field === 'client_secret' || error.field === null ? { ...error, value: null } : error

const isOtherGrant = ({ field, value }: FieldError): boolean =>
  field === 'grant_type' && typeof value === 'string' && value !== ''

/** Adds the OAuth error code (RFC 6749, section 5.2) to a refusal of a malformed request. */
function asOAuthError(error: ApiError): ApiError {
  const errors = Array.from(error.details.errors ?? []).filter((item) => item !== null && 'field' in item)
  return new ApiError(error.code, error.message, {
    ...error.details,
    ...(errors.length > 0 ? { errors: errors.map(withoutSecret) } : {}),
    oauth: errors.some(isOtherGrant) ? 'unsupported_grant_type' : 'invalid_request',
  })
}

/** Checks the form of the credentials only. Its refusals have an OAuth error code. */
export const tokenRequestBody: RequestBody<TokenRequest, z.input<typeof tokenRequestSchema>> = {
  ...json(tokenRequestSchema),
  async read(c) {
    try {
      const { client_id, client_secret, scope } = await readJson(c, tokenRequestSchema)
      const apiKey = c.req.header('X-API-KEY') ?? ''
      return { clientId: client_id, clientSecret: client_secret, apiKey, scope }
    } catch (error) {
      throw error instanceof ApiError ? asOAuthError(error) : error
    }
  },
}
