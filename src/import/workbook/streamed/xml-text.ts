/** A file that is written in a way that hardly any program uses: it is left to the library, which knows all of them. */
export class UnusualFile extends Error {
  override name = 'UnusualFile'
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const REFERENCE = /&(?:(lt|gt|amp|quot|apos)|#(\d+)|#x([\da-f]+));/gi

/** A character that XML cannot hold (ECMA-376, part 1, 22.9.2.19, ST_Xstring). */
const ESCAPED_CHARACTER = /_x([\da-f]{4})_/gi

const character = (digits: string, base: number): string =>
  String.fromCodePoint(Number.parseInt(digits, base))

/** What the text of an element stands for; a line end is one character. @throws UnusualFile if it has other elements in it */
export function meantText(written: string): string {
  if (written.includes('<')) throw new UnusualFile('elements in a text')
  let text = written
  if (text.includes('&')) {
    text = text.replace(REFERENCE, (whole, name?: string, decimal?: string, hexadecimal?: string) => {
      if (decimal !== undefined) return character(decimal, 10)
      if (hexadecimal !== undefined) return character(hexadecimal, 16)
      return ENTITIES[name?.toLowerCase() ?? ''] ?? whole
    })
  }
  if (text.includes('_x'))
    text = text.replace(ESCAPED_CHARACTER, (_, digits: string) => character(digits, 16))
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

/** The text of an element if that is all there is; undefined otherwise. @param name of the element */
export function onlyText(xml: string, name: string): string | undefined {
  const start = `<${name}>`
  const end = `</${name}>`
  const isAll = xml.startsWith(start) && xml.indexOf('<', start.length) === xml.length - end.length
  return isAll ? meantText(xml.slice(start.length, -end.length)) : undefined
}

/** How a text is pronounced. */
const PRONOUNCED = /<rPh\b.*?<\/rPh>/gs
const RUN_TEXT = /<t(?:\s[^<>]*)?>([^<]*)<\/t>/g

/** The text of `<si>` or `<is>`, of all of its runs (ECMA-376, part 1, 18.4.8). */
export function runsText(xml: string): string {
  const text = onlyText(xml, 't')
  if (text !== undefined) return text
  if (xml.includes('<!')) throw new UnusualFile('a comment or a section of other text')
  return [...xml.replace(PRONOUNCED, '').matchAll(RUN_TEXT)].map(([, run = '']) => meantText(run)).join('')
}

const ATTRIBUTE = /\s+([\w:]+)="([^"<]*)"/y

/** The attributes of a tag, as they are written behind its name. @throws UnusualFile for another way of writing */
export function attributesIn(written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let end = 0
  ATTRIBUTE.lastIndex = 0
  for (let match = ATTRIBUTE.exec(written); match !== null; match = ATTRIBUTE.exec(written)) {
    const [, name = '', value = ''] = match
    found.set(name, value)
    end = ATTRIBUTE.lastIndex
  }
  if (written.slice(end).trim() !== '') throw new UnusualFile(`attributes: ${written}`)
  return found
}
