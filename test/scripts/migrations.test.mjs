import { describe, expect, it } from 'vitest'
import {
  digestErrors,
  digestOf,
  formatDigests,
  listErrors,
  parseDigests,
} from '../../scripts/migrations/digests.mjs'
import { timesOf } from '../../scripts/migrations/filled.mjs'
import { ruleErrors } from '../../scripts/migrations/rules.mjs'
import { laidOut, schemaErrors } from '../../scripts/migrations/schema.mjs'
import {
  extrapolated,
  formatSeconds,
  measure,
  parseSeconds,
  secondsErrors,
} from '../../scripts/migrations/seconds.mjs'

const TRIGGER = "CREATE TRIGGER t BEFORE INSERT ON r WHEN new.a > 1 BEGIN SELECT RAISE(ABORT, 'a;b--c'); END;"

describe('the rules of the remote side', () => {
  it.each([
    TRIGGER,
    'CREATE TABLE `t` (`a` text);--> statement-breakpoint\nCREATE INDEX `i` ON `t` (`a`);',
    '-- A plain comment, with a comma.\nSELECT 1;\n--> statement-breakpoint\nSELECT 2;',
    "INSERT INTO t VALUES ('it''s -- no; comment');",
    'CREATE TRIGGER t BEFORE INSERT ON r BEGIN UPDATE r SET a = (CASE WHEN 1 THEN 2 END) WHERE b = 1; END;',
  ])('take %j', (sql) => {
    expect(ruleErrors(sql)).toEqual([])
  })

  it.each([
    [
      TRIGGER.replace(' BEGIN ', '\nBEGIN\n'),
      ['line 1: a trigger stands on one line', 'line 2: BEGIN and END'],
    ],
    [TRIGGER.replace('END;', 'end;'), ['line 1: a trigger stands on one line']],
    [
      'CREATE TRIGGER t BEFORE INSERT ON r BEGIN UPDATE r SET a = CASE WHEN 1 THEN 2 END WHERE b = 1; END;',
      ['line 1: a CASE inside a trigger'],
    ],
    ['SELECT 1;\n-- One; two.', ['line 2: a comment must not hold']],
    ["SELECT 1; -- It's.", ['line 1: a comment must not hold']],
    ['-- The table `t`.', ['line 1: a comment must not hold']],
    ['-- The "t".', ['line 1: a comment must not hold']],
    ['/* a comment */ SELECT 1;', ['line 1: comments begin with two dashes']],
    ['SELECT 1;\r\n', ['line ends must be LF']],
  ])('refuse %j', (sql, errors) => {
    const found = ruleErrors(sql)
    expect(found).toHaveLength(errors.length)
    for (const [position, error] of errors.entries()) expect(found[position]).toContain(error)
  })
})

describe('the list of digests', () => {
  const files = new Map([
    ['0000_a.sql', 'SELECT 1;'],
    ['0001_b.sql', 'SELECT 2;'],
  ])
  const digests = new Map([...files].map(([name, text]) => [name, digestOf(text)]))

  it('is read as it was written, in order', () => {
    const text = formatDigests(new Map([...digests].reverse()))
    expect([...parseDigests(text)]).toEqual([...digests])
    expect(() => parseDigests('abc  0000_a.sql\n')).toThrow('not a line of sha256sum')
  })

  it('finds no error in unchanged files', () => {
    expect(digestErrors(digests, files)).toEqual([])
    expect(listErrors(digests, digests)).toEqual([])
  })

  it('names a migration that was edited, removed or not recorded', () => {
    const changed = new Map([
      ['0000_a.sql', 'SELECT 1; '],
      ['0002_c.sql', 'SELECT 3;'],
    ])
    expect(digestErrors(digests, changed)).toEqual([
      expect.stringMatching(/^0000_a.sql: .* must not be edited/),
      expect.stringMatching(/^0001_b.sql: .* must not be deleted/),
      expect.stringMatching(/^0002_c.sql: is not in SHA256SUMS/),
    ])
  })

  it('may grow, but no line of the last commit may change', () => {
    const grown = new Map([...digests, ['0002_c.sql', digestOf('SELECT 3;')]])
    expect(listErrors(digests, grown)).toEqual([])
    const edited = new Map([...digests, ['0001_b.sql', digestOf('edited')]])
    expect(listErrors(digests, edited)).toEqual([expect.stringMatching(/^0001_b.sql: its line/)])
  })
})

describe('the seconds that a migration takes on a million records', () => {
  it('grow as they did between two sizes, at least with the records, and at most with their square', () => {
    expect(extrapolated([0.5, 1])).toBeCloseTo(50)
    expect(extrapolated([0.25, 1])).toBeCloseTo(2500)
    expect(extrapolated([0.01, 1])).toBeCloseTo(2500)
    expect(extrapolated([1, 1])).toBeCloseTo(50)
    // Too short to tell.
    expect(extrapolated([0.001, 0.004])).toBeCloseTo(0.2)
  })

  it('are measured for every migration, on a database that is full of records', async () => {
    const measured = await measure(() => timesOf(500))
    expect([...measured.keys()]).toContain('0072_record_codes.sql')
    expect(secondsErrors(new Map([...measured].map(([name]) => [name, 0])), [...measured.keys()])).toEqual([])
    // This one writes every record again.
    expect(measured.get('0020_word_index.sql')).toBeGreaterThan(measured.get('0071_watch.sql'))
  })

  it('are read as they were written, in order', () => {
    const seconds = new Map([
      ['0001_b.sql', 12],
      ['0000_a.sql', 0.1],
    ])
    expect(formatSeconds(seconds)).toBe('  0.1  0000_a.sql\n 12.0  0001_b.sql\n')
    expect([...parseSeconds(formatSeconds(seconds))]).toEqual([...seconds].reverse())
    expect(() => parseSeconds('fast  0000_a.sql\n')).toThrow('not a line of the list')
  })

  it('are refused if D1 would end the migration, except those of releases that are out', () => {
    const seconds = new Map([
      ['0020_word_index.sql', 27],
      ['0099_slow.sql', 10.1],
      ['0100_gone.sql', 0],
    ])
    const names = ['0020_word_index.sql', '0099_slow.sql', '0101_new.sql']
    expect(secondsErrors(seconds, names)).toEqual([
      '0100_gone.sql: is in SECONDS and is no migration',
      expect.stringMatching(/^0101_new.sql: is not in SECONDS/),
      expect.stringMatching(/^0099_slow.sql: takes 10.1 s on a million records/),
    ])
  })
})

describe('docs/schema.sql', () => {
  it('is the schema that the migrations make', async () => {
    expect(await schemaErrors()).toEqual([])
  })

  it('has each column of a table on a line of its own', () => {
    const sql =
      "CREATE TABLE `t` (\n\t`a` text DEFAULT '[1, (2]' NOT NULL, `b` text, PRIMARY KEY(`a`, `b`)) WITHOUT ROWID"
    expect(laidOut({ type: 'table', sql })).toBe(
      "CREATE TABLE `t` (\n  `a` text DEFAULT '[1, (2]' NOT NULL,\n  `b` text,\n  PRIMARY KEY(`a`, `b`)\n) WITHOUT ROWID;",
    )
  })

  it('has the condition and each statement of a trigger on a line of its own, and leaves its texts as they are', () => {
    const raise = "SELECT RAISE(ABORT, 'a; b WHEN c BEGIN d END')"
    const sql = `CREATE TRIGGER t BEFORE INSERT ON r WHEN new.a > 1 BEGIN ${raise}; DELETE FROM r; END`
    expect(laidOut({ type: 'trigger', sql })).toBe(
      `CREATE TRIGGER t BEFORE INSERT ON r\nWHEN new.a > 1\nBEGIN\n  ${raise};\n  DELETE FROM r;\nEND;`,
    )
  })
})
