import { describe, expect, it } from 'vitest'
import { filesBelow, textOf } from './documents'

const security = textOf('docs/security.md')

const PROGRAMS = /^(?:bench|test\/soak)\//

const files = new Set(
  ['test', 'bench'].flatMap(filesBelow).filter((file) => /\.test\./.test(file) || PROGRAMS.test(file)),
)

interface Evidence {
  file: string
  /** Null when the whole file is named. */
  title: string | null
}

/** What the third column of the tables names: `file`, or `file`: "title", "title". */
const evidence: Evidence[] = Array.from(
  security.matchAll(/`((?:test|bench)\/[^`]+)`(?:: ("(?:\\"|[^"])+"(?:, "(?:\\"|[^"])+")*))?/g),
).flatMap(([, file, titles]): Evidence[] =>
  titles === undefined
    ? [{ file: file!, title: null }]
    : Array.from(titles.matchAll(/"((?:\\"|[^"])+)"/g), ([, title]) => ({
        file: file!,
        title: title!.replaceAll('\\"', '"'),
      })),
)

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** A test that runs: its title stands in a call of `it`, `describe` or the like, which is not skipped. */
const hasTest = (source: string, title: string): boolean =>
  new RegExp(
    `(?:\\b(?:it|test|describe)\\w*(?:\\.(?!skip|todo)\\w+)*\\(|\\)\\()\\s*(['"\`])${escaped(title)}\\1,`,
  ).test(source)

/** Programs have messages instead of titles. */
const names = (file: string, title: string): boolean =>
  PROGRAMS.test(file) ? textOf(file).includes(title) : hasTest(textOf(file), title)

describe('the security page', () => {
  it('names tests that exist', () => {
    expect(evidence.length).toBeGreaterThan(30)
    const missing = evidence.filter(({ file, title }) => !files.has(file) || !(title === null || names(file, title)))
    expect(missing).toEqual([])
  })

  it('names a test for every threat', () => {
    const rows = security.split('\n').filter((line) => /^\| (?!threat|-)/.test(line) && !line.startsWith('|---'))
    expect(rows.filter((row) => !/`(?:test|bench)\//.test(row))).toEqual([])
  })
})
