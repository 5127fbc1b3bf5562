import { ApiError, fieldError, invalidField } from '#shared/errors/errors'
import { strictUtf8, strictUtf8File } from '#shared/text/utf8'

/** Decodes a JSON body, with or without a byte order mark. @throws ApiError 400 if it is blank or not in UTF-8 */
export function decodedJson(bytes: Uint8Array): string {
  const text = decodedPart(bytes, 0, bytes.length)
  if (!/\S/.test(text)) throw invalidField(null, 'malformed', 'The body is empty. Send JSON.')
  return text
}

/** Decodes a part of a JSON body that does not split a character. @throws ApiError 400 */
export function decodedPart(bytes: Uint8Array, from: number, to: number): string {
  try {
    return (from === 0 ? strictUtf8File : strictUtf8).decode(bytes.subarray(from, to))
  } catch {
    throw invalidField(null, 'malformed', 'The body is not valid UTF-8. Send JSON in UTF-8.')
  }
}

/** Where V8's message starts to quote the text. Messages may be stored, and must not contain values of records. */
const EXCERPT = /, (?:\.\.\.)?"| in JSON| at position/

/**
 * The error for a text that `JSON.parse` rejected.
 *
 * @param error what it threw
 * @param recordsBefore number of records parsed before the piece with the error; a piece holds hundreds of records
 */
export function invalidJson(error: unknown, recordsBefore = 0): ApiError {
  const [reason] = error instanceof Error ? error.message.split(EXCERPT) : []
  const place = recordsBefore === 0 ? '' : `, behind the record at index ${recordsBefore - 1}`
  const msg = `The body is not valid JSON: ${reason}`
  return new ApiError('invalid_request', `${msg}${place}.`, { errors: [fieldError(null, null, 'malformed', msg)] })
}
