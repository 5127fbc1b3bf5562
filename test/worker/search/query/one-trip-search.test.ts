import { describe, expect, it } from 'vitest'
import { codeStatement, codesStatement } from '#worker/search/query/code-matches'
import { indexedStatement, oneTripSearch, type SearchQuestion } from '#worker/search/query/one-trip-search'
import { prepare } from '#worker/storage/database'
import { valuesOf } from '#worker/storage/statement-cache'

const WORDS = [
  ...['ibuprofen', 'tablet', 'mg', '5', 'paracetamol', 'a"b\\c', 'x-linked', 'acid', 'forte', 'ibuprofn'],
  ...['hydrochlorothiazide', 'ångström', 'co', 'tablet', 'éphédrine', 'drops', 'for', 'children'],
]

/** Questions of one to seven words, some of them short, misspelt, or there twice. */
const questions: SearchQuestion[] = Array.from({ length: 400 }, (_, i) => ({
  words: [
    ...Array.from({ length: i % 7 }, (_, j) => WORDS[(i * 5 + j * (1 + (i % 4))) % WORDS.length]!),
    'oral',
  ],
  limit: [1, 5, 20, 50, 500][i % 5]!,
  type: i % 3 === 0 ? 'symptom' : 'medication',
  workspaceId: `w${i % 5}`,
  source: ([null, 'workspace', 'provider'] as const)[i % 3]!,
}))

const STATEMENTS = [
  {
    name: 'the first statement of a search',
    remembered: oneTripSearch,
    made: (question: SearchQuestion) => prepare(indexedStatement(question, valuesOf(question))),
  },
  {
    name: 'the statement for ids and codes',
    remembered: codeStatement,
    made: (question: SearchQuestion) => prepare(codesStatement(question, valuesOf(question))),
  },
]

it.each(STATEMENTS)(
  '$name is the same from a text that another question of its shape has made',
  ({ remembered, made }) => {
    for (const question of questions) remembered(question)
    for (const question of questions) {
      expect(remembered(question), question.words.join(' ')).toEqual(made(question))
    }
  },
)

describe('the first statement of a search', () => {
  it('binds fewer values than D1 takes, however many words there are', () => {
    for (const question of questions)
      expect(prepare(indexedStatement(question, valuesOf(question))).params.length).toBeLessThan(100)
  })
})
