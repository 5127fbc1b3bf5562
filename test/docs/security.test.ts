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

describe('the security page', () => {
  it('names tests that exist', () => {
    expect(evidence.length).toBeGreaterThan(30)
    const missing = evidence.filter(
      ({ file, title }) => !(title === null ? `/${file}` in tests : tests[`/${file}`]?.includes(title)),
    )
    expect(missing).toEqual([])
  })

  it('names a test for every threat', () => {
    const rows = security
      .split('\n')
      .filter((line) => /^\| (?!threat|-)/.test(line) && !line.startsWith('|---'))
    expect(rows.filter((row) => !/`(?:test|bench)\//.test(row))).toEqual([])
  })
})
