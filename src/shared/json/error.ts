import { ApiError } from '#shared/errors/errors'
import { strictUtf8, strictUtf8File } from '#shared/text/utf8'

/** The text of a JSON body, with or without a byte order mark. @throws ApiError 400 for a blank one, or not in UTF-8 */
export function decodedJson(bytes: Uint8Array): string {
  const text = decodedPart(bytes, 0, bytes.length)
  if (!/\S/.test(text)) throw new ApiError('invalid_request', 'The body is empty. Send JSON.')
  return text
}

/** The text of a part of a JSON body, which begins and ends between two characters. @throws ApiError 400 */
export function decodedPart(bytes: Uint8Array, from: number, to: number): string {
  try {
    return (from === 0 ? strictUtf8File : strictUtf8).decode(bytes.subarray(from, to))
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid UTF-8. Send JSON in UTF-8.')
  }
}

export const invalidJson = (): ApiError => new ApiError('invalid_request', 'The body is not valid JSON.')
