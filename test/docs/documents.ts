/** The documents of the project, for the tests. */

const files = import.meta.glob(
  ['/README.md', '/CHANGELOG.md', '/SECURITY.md', '/docs/*.md', '/bench/*.md', '/samples/README.md'],
  { query: '?raw', import: 'default', eager: true },
) as Record<string, string>

/** Text of each document, by its path from the root of the project, without a leading slash. */
export const documents: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, text]) => [path.slice(1), text]),
)

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '')

/** The anchor that GitHub gives to a heading. */
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

export interface Link {
  file: string
  target: string
}

/** Links and images of every document with a target in the project. */
export function localLinks(): Link[] {
  return [...documents].flatMap(([file, text]) =>
    Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => ({
      file,
      target: target!,
    })).filter(({ target }) => !/^https?:/.test(target)),
  )
}
