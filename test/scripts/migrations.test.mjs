import { describe, expect, it } from 'vitest'
import { ruleErrors } from '../../scripts/migrations/rules.ts'

const TRIGGER = "CREATE TRIGGER t BEFORE INSERT ON r WHEN new.a > 1 BEGIN SELECT RAISE(ABORT, 'a;b--c'); END;"

describe("D1's rules for the text of a migration", () => {
  it.each([
    TRIGGER,
    "INSERT INTO t VALUES ('it''s -- no; comment');",
    'CREATE TRIGGER t BEFORE INSERT ON r BEGIN UPDATE r SET a = (CASE WHEN 1 THEN 2 END) WHERE b = 1; END;',
  ])('accept %j', (sql) => {
    expect(ruleErrors(sql)).toEqual([])
  })

  it.each([
    [TRIGGER.replace(' BEGIN ', '\nBEGIN\n'), ['line 1: a trigger must be on one line', 'line 2: BEGIN and END']],
    [
      'CREATE TRIGGER t BEFORE INSERT ON r BEGIN UPDATE r SET a = CASE WHEN 1 THEN 2 END WHERE b = 1; END;',
      ['line 1: a CASE inside a trigger'],
    ],
    ['SELECT 1;\n-- One; two.', ['line 2: a comment must not hold']],
    ['-- The "t".', ['line 1: a comment must not hold']],
    ['/* a comment */ SELECT 1;', ['line 1: comments begin with two dashes']],
    ['SELECT 1;\r\n', ['line ends must be LF']],
  ])('reject %j', (sql, errors) => {
    const found = ruleErrors(sql)
    expect(found).toHaveLength(errors.length)
    for (const [position, error] of errors.entries()) expect(found[position]).toContain(error)
  })
})
