import { QUOTE } from '#shared/text/characters'

/** Characters that are looked at before a search with `indexOf`, which is slow if quotes are near each other. */
const NEAR = 16

function nextQuote(text: string, from: number): number {
  for (let at = from; at < from + NEAR; at++) if (text.charCodeAt(at) === QUOTE) return at
  return text.indexOf('"', from + NEAR)
}

/** The end of a quoted cell, whose text starts at `from`, after quotes in pairs; -1 if it never ends. */
export function closingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from)
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) close = nextQuote(text, close + 2)
  return close
}
