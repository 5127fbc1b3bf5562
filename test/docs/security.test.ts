import { describe, expect, it } from 'vitest'
import security from '../../docs/security.md?raw'

const tests = import.meta.glob(['/test/**/*.test.{ts,mjs}', '/bench/**/*.mjs', '!/bench/node_modules/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>

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

/** Programs of the benchmark have messages instead of titles. */
const names = (file: string, title: string): boolean =>
  file.startsWith('test/') ? hasTest(tests[`/${file}`] ?? '', title) : !!tests[`/${file}`]?.includes(title)

describe('the security page', () => {
  it('names tests that exist', () => {
    expect(evidence.length).toBeGreaterThan(30)
    const missing = evidence.filter(({ file, title }) => !(title === null ? `/${file}` in tests : names(file, title)))
    expect(missing).toEqual([])
  })

  it('names a test for every threat', () => {
    const rows = security.split('\n').filter((line) => /^\| (?!threat|-)/.test(line) && !line.startsWith('|---'))
    expect(rows.filter((row) => !/`(?:test|bench)\//.test(row))).toEqual([])
  })
})
