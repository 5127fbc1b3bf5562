import { runsText, UnusualFile } from './xml-text'

const ITEM = '<si'
const ITEM_END = '</si>'

/** Adds the texts in some whole items. @returns where the last of them ends */
function addTexts(xml: string, texts: string[]): number {
  let at = 0
  for (;;) {
    const start = xml.indexOf(ITEM, at)
    if (start === -1) return at
    const content = xml.indexOf('>', start) + 1
    if (content === 0) return at
    if (xml.charAt(content - 2) === '/') {
      texts.push('')
      at = content
      continue
    }
    const end = xml.indexOf(ITEM_END, content)
    if (end === -1) return at
    texts.push(runsText(xml.slice(content, end)))
    at = end + ITEM_END.length
  }
}

/** The texts that the cells of a workbook share (ECMA-376, part 1, 18.4.9). */
export async function sharedTexts(pieces: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = []
  let rest = ''
  for await (const piece of pieces) {
    rest += piece
    rest = rest.slice(addTexts(rest, texts))
  }
  if (!/<\/sst>\s*$|<sst[^>]*\/>\s*$|^$/.test(rest)) throw new UnusualFile('shared texts without an end')
  return texts
}
