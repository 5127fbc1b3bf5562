import { ApiError, type FieldError, invalidField, listedErrors } from '#shared/errors/errors'
import { isJsonObject } from '#shared/json/exact-numbers'
import { lenientUtf8 } from '#shared/text/utf8'
import { readBody } from '#worker/http/body/body'
import type { RequestBody } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { isJson, parseMembers, sentTwice, validBody } from '#worker/http/endpoint/validation'
import { type ClientCredentials, invalidClient } from './client-credentials'
import { tokenBodySchema, tokenRequestSchema } from './schemas'

/** `scope` is the requested scope, as sent. */
type TokenRequest = ClientCredentials & { scope: string | undefined }

const FORM = 'application/x-www-form-urlencoded'

const isForm = (contentType: string): boolean => contentType.split(';')[0]?.trim().toLowerCase() === FORM

// These fields, and a malformed body, may contain a real secret, so errors do not echo them.
const SECRETS: readonly (string | null)[] = ['client_secret', 'api_key', null]

const withoutSecret = (error: FieldError): FieldError =>
  SECRETS.includes(error.field) ? { ...error, value: null } : error

const isOtherGrant = ({ field, code, value }: FieldError): boolean =>
  field === 'grant_type' && code !== 'repeated_parameter' && typeof value === 'string' && value !== ''

function asOAuthError(error: ApiError): ApiError {
  if (error.details.oauth !== undefined) return error
  const errors = listedErrors(error).filter((item) => 'msg' in item)
  return new ApiError(error.code, error.message, {
    ...error.details,
    ...(errors.length > 0 ? { errors: errors.map(withoutSecret) } : {}),
    oauth: errors.some(isOtherGrant) ? 'unsupported_grant_type' : 'invalid_request',
  })
}

/** A form (RFC 6749, appendix B). Parameters without a value count as absent, unknown ones are ignored (3.2). */
function formParameters(bytes: Uint8Array): Record<string, string> {
  const parameters = new URLSearchParams(lenientUtf8.decode(bytes))
  const values: Record<string, string> = {}
  for (const name of Object.keys(tokenRequestSchema.shape)) {
    const [value = '', ...more] = parameters.getAll(name)
    if (more.length > 0) throw sentTwice(name)
    if (value !== '') values[name] = value
  }
  return values
}

async function parametersOf(c: AppContext): Promise<unknown> {
  const contentType = c.req.header('Content-Type') ?? ''
  if (isForm(contentType)) return formParameters(await readBody(c))
  if (isJson(contentType)) return parseMembers(await readBody(c))
  throw new ApiError('unsupported_media_type', `The Content-Type must be ${FORM} or application/json.`)
}

/** Rejects a value that differs from the one in the body. Both may be sent if they are equal. */
function requireEqual(name: string, inBody: unknown, inHeader: string): void {
  if (inBody === undefined || inBody === inHeader) return
  throw invalidField(name, 'repeated_parameter', 'is sent with two different values, in a header and in the body')
}

const basicClientSchema = tokenRequestSchema.pick({ client_id: true, client_secret: true })

/**
 * The unverified client of `Authorization: Basic`; null for another scheme.
 *
 * @throws ApiError 401 if the header contains no client
 */
function basicClient(c: AppContext) {
  const [, credentials] = /^Basic\b *(.*)$/i.exec(c.req.header('Authorization') ?? '') ?? []
  if (credentials === undefined) return null
  try {
    const [id, ...secret] = atob(credentials).split(':')
    // Each is form-encoded (RFC 6749, section 2.3.1), so that a plus sign is a space.
    const client = new URLSearchParams(`client_id=${id}&client_secret=${secret.join(':')}`)
    if (client.size !== 2) throw new Error('not one id and one secret')
    return basicClientSchema.parse(Object.fromEntries(client))
  } catch {
    throw invalidClient(true, 'malformed HTTP Basic credentials')
  }
}

function withClient(parameters: unknown, client: ReturnType<typeof basicClient>): unknown {
  if (client === null || !isJsonObject(parameters)) return parameters
  const { client_id, client_secret } = parameters
  requireEqual('client_id', client_id, client.client_id)
  requireEqual('client_secret', client_secret, client.client_secret)
  return { ...parameters, ...client }
}

async function readTokenRequest(c: AppContext): Promise<TokenRequest> {
  const parameters = await parametersOf(c)
  const client = basicClient(c)
  const request = validBody(tokenRequestSchema, withClient(parameters, client))
  const { client_id: clientId, client_secret: clientSecret, scope, api_key: inBody } = request
  const inHeader = c.req.header('X-API-KEY') ?? ''
  if (inHeader !== '') requireEqual('api_key', inBody, inHeader)
  return { clientId, clientSecret, apiKey: inBody ?? inHeader, byBasic: client !== null, scope }
}

export const tokenRequestBody: RequestBody<TokenRequest> = {
  content: { 'application/json': tokenBodySchema, [FORM]: tokenBodySchema },
  required: true,
  small: true,
  async read(c) {
    try {
      return await readTokenRequest(c)
    } catch (error) {
      throw error instanceof ApiError ? asOAuthError(error) : error
    }
  },
}
