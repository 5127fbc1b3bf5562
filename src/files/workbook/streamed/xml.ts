import { Parser } from 'htmlparser2'
import { type TakeText, UnusualFile } from '../zip'

export type Attributes = Readonly<Record<string, string>>

/** What elements mean. Their names are without a prefix. */
export interface ElementReader {
  begin: (name: string, attributes: Attributes) => void
  /** @param text in the element, if it has no other elements */
  end: (name: string, text: string) => void
  /** Gets the text of all elements, in pieces. */
  text?: (piece: string) => void
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Reads a part that is XML. @throws UnusualFile for an element without an end */
export function xmlTaker({ begin, end, text: takeText }: ElementReader): TakeText {
  let text = ''
  /** Whether an element has just begun: then its end may be part of the same tag. */
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

/** A character that XML cannot hold (ECMA-376, part 1, 22.9.2.19, ST_Xstring). */
const ESCAPED_CHARACTER = /_x([\da-f]{4})_/gi

/** The text of a cell, as it is meant; a line end is one character. */
export function meantText(written: string): string {
  const text = written.includes('_x')
    ? written.replace(ESCAPED_CHARACTER, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : written
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

/** The text of runs, without how they are pronounced (ECMA-376, part 1, 18.4.4 and 18.4.6). */
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

  /** The text since the last time. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
