import { strictUtf8 } from '#shared/text/utf8'
import { invalidClient } from './client-credentials'
import { tokenRequestSchema } from './schemas'

/** Id and secret, each form-encoded (RFC 6749, section 2.3.1), so that a plus sign is a space. */
const ENCODED = /^([^:]*):(.*)$/s

const basicClientSchema = tokenRequestSchema.pick({ client_id: true, client_secret: true })

const formDecoded = (text = ''): string => decodeURIComponent(text.replaceAll('+', ' '))

/** @throws DOMException, TypeError or URIError for what is not base64, not UTF-8 or not form-encoded */
function decodedClient(credentials: string): unknown {
  const bytes = Uint8Array.from(atob(credentials), (character) => character.charCodeAt(0))
  const parts = ENCODED.exec(strictUtf8.decode(bytes))
  return parts && { client_id: formDecoded(parts[1]), client_secret: formDecoded(parts[2]) }
}

/**
 * The client of a header `Authorization: Basic`, whose scheme may be in any case; null for a header of another scheme
 * or none. The secret is not compared here.
 *
 * @throws ApiError 401 if it holds no client
 */
export function basicClient(authorization: string | undefined) {
  const credentials = /^Basic(?: +(.*))?$/i.exec(authorization ?? '')
  if (credentials === null) return null
  let client: unknown
  try {
    client = decodedClient(credentials[1] ?? '')
  } catch {
    client = undefined
  }
  const result = basicClientSchema.safeParse(client)
  if (result.success) return result.data
  throw invalidClient(true, 'malformed HTTP Basic credentials')
}
