/** Characters that V8 shows on either side of an unexpected token, without its position. */
const CONTEXT = 10

const UNEXPECTED = /^Unexpected token .+?, (\.\.\.)?"(.*)"(\.\.\.)? is not valid JSON$/s

/** The end of a sentence that says what is wrong, and where, with a text that `JSON.parse` refused. */
export function jsonErrorPlace(error: unknown, text: string): string {
  if (error instanceof RangeError) return ': it is nested too deeply'
  const message = error instanceof Error ? error.message : ''
  const position = positionOf(message, text)
  if (message.startsWith('Unexpected end') || (position !== null && position >= text.trimEnd().length)) {
    return ': it ends too early'
  }
  if (position === null) return ''
  const { line, column } = lineAndColumn(text, position)
  return ` (line ${line}, column ${column})`
}

/** Both start at 1. Counts line ends, because a list of all lines can take eight times the memory of the text. */
function lineAndColumn(text: string, position: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next !== -1 && next < position; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return { line, column: position - start + 1 }
}

function positionOf(message: string, text: string): number | null {
  const told = /at position (\d+)/.exec(message)
  if (told) return Number(told[1])
  const shown = UNEXPECTED.exec(message)
  if (!shown) return null
  const [, cutBefore, excerpt = '', cutAfter] = shown
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
