/** Parts of a page in Markdown. */

/** A page without its code blocks. */
export const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '')

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const HEADING = /^#+ (.+)$/gm

export const anchorsOf = (text: string): string[] =>
  Array.from(withoutCode(text).matchAll(HEADING), ([, heading]) => anchorOf(heading!))

/** Text below the heading with an anchor, up to the next heading of the same or a higher level. */
export function section(text: string, anchor: string): string {
  const headings = [...text.matchAll(/^(#+) (.+)$/gm)]
  const start = headings.findIndex((match) => anchorOf(match[2]!) === anchor)
  if (start < 0) throw new Error(`there is no section #${anchor}`)
  const level = headings[start]![1]!.length
  const next = headings.slice(start + 1).find((match) => match[1]!.length <= level)
  return text.slice(headings[start]!.index, next?.index)
}
