import { Parser } from 'htmlparser2'
import { type TakeText, UnusualFile } from '../zip'

export type Attributes = Readonly<Record<string, string>>

/** Handlers for elements. Element names have no prefix. */
export interface ElementReader {
  begin: (name: string, attributes: Attributes) => void
  /** @param text of the element, if it contains no other elements */
  end: (name: string, text: string) => void
  /** Receives the text of all elements, in pieces. */
  text?: (piece: string) => void
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads an XML part. @throws UnusualFile for an element that is not closed */
export function xmlTaker({ begin, end, text: takeText }: ElementReader): TakeText {
  let text = ''
  /** Whether an element has just begun: it may be self-closing. */
  let hasBegun = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        text = ''
        hasBegun = true
        begin(withoutPrefix(name), attributes)
      },
      ontext(more) {
        text += more
        hasBegun = false
        takeText?.(more)
      },
      onclosetag(name, isImplied) {
        if (isImplied && !hasBegun) throw new UnusualFile(`${name} does not end`)
        end(withoutPrefix(name), text)
        text = ''
        hasBegun = false
      },
    },
    { xmlMode: true },
  )
  return (piece, isLast) => {
    parser.write(piece)
    if (isLast) parser.end()
  }
}

/** An escaped character that XML does not allow (ECMA-376, part 1, 22.9.2.19, ST_Xstring). */
const ESCAPED_CHARACTER = /_x([\da-f]{4})_/gi

/** Unescapes the text of a cell. Line breaks become one character. */
export function meantText(written: string): string {
  const text = written.includes('_x')
    ? written.replace(ESCAPED_CHARACTER, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : written
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

/** The text of runs, without phonetic hints (ECMA-376, part 1, 18.4.4 and 18.4.6). */
export class RunsText {
  #text = ''
  #isPronounced = false

  begin(name: string): void {
    if (name === 'rPh') this.#isPronounced = true
  }

  end(name: string, text: string): void {
    if (name === 'rPh') this.#isPronounced = false
    else if (name === 't' && !this.#isPronounced) this.#text += meantText(text)
  }

  /** Returns and clears the text. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
