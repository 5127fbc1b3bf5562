import { ApiError } from '#shared/errors/errors'
import { LINE_FEED } from '#shared/text/characters'
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

/** Characters that V8 shows on either side of an unexpected token, without its position. */
const CONTEXT = 10

const UNEXPECTED = /^Unexpected token .+?, (\.\.\.)?"(.*)"(\.\.\.)? is not valid JSON$/s

/**
 * The refusal of a text that `JSON.parse` refused: what is wrong, and where.
 *
 * @param text what was parsed: the body, or a part of it
 * @param whole the body, and the position in it of a position in what was parsed
 */
export function invalidJson(
  error: unknown,
  text: string,
  whole = { text, positionOf: (position: number) => position },
): ApiError {
  if (error instanceof RangeError) return refusal(': it is nested too deeply')
  const message = error instanceof Error ? error.message : ''
  const wrong = message.startsWith('Unexpected end') ? text.length : errorPosition(message, text)
  return wrong === null ? refusal('') : invalidJsonAt(whole.text, whole.positionOf(wrong))
}

/** The refusal of a body that is not JSON, with the first position that is wrong. */
export function invalidJsonAt(text: string, position: number): ApiError {
  if (position >= text.trimEnd().length) return refusal(': it ends too early')
  const { line, column } = lineAndColumn(text, position)
  return refusal(` (line ${line}, column ${column})`)
}

const refusal = (what: string): ApiError => new ApiError('invalid_request', `The body is not valid JSON${what}.`)

/**
 * Both start at 1. Looks at each character: a list of all lines can take eight times the memory of the text, and a
 * search for each line end takes long if there are millions.
 */
function lineAndColumn(text: string, position: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let at = 0; at < position; at++) {
    if (text.charCodeAt(at) !== LINE_FEED) continue
    line++
    start = at + 1
  }
  return { line, column: position - start + 1 }
}

function errorPosition(message: string, text: string): number | null {
  const position = /at position (\d+)/.exec(message)
  if (position) return Number(position[1])
  const token = UNEXPECTED.exec(message)
  if (!token) return null
  const [, cutBefore, excerpt = '', cutAfter] = token
  if (cutBefore && cutAfter) return text.indexOf(excerpt) + CONTEXT
  if (cutBefore) return text.length - excerpt.length + CONTEXT
  return cutAfter ? excerpt.length - CONTEXT : firstUnexpected(text)
}

/** For a short text, which V8 shows whole: the end of its shortest beginning that fails. */
function firstUnexpected(text: string): number | null {
  for (let end = 1; end <= text.length; end++) {
    try {
      JSON.parse(text.slice(0, end))
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('Unexpected token')) return end - 1
    }
  }
  return null
}
