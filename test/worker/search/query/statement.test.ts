import { expect, it } from 'vitest'
import { type SearchQuestion, searchStatement } from '#worker/search/query/statement'

const WORDS = [
  ...['ibuprofen', 'tablet', 'mg', '5', 'paracetamol', 'a"b\\c', 'x-linked', 'acid', 'forte', 'ibuprofn'],
  ...['hydrochlorothiazide', 'ångström', 'co', 'tablet', 'éphédrine', 'drops', 'for', 'children'],
]

/** Questions of one to seven words, some of them short, misspelt, or there twice. */
const questions: SearchQuestion[] = Array.from({ length: 400 }, (_, i) => ({
  words: [...Array.from({ length: i % 7 }, (_, j) => WORDS[(i * 5 + j * (1 + (i % 4))) % WORDS.length]!), 'oral'],
  offset: 0,
  limit: [1, 5, 20, 50, 500][i % 5]!,
  type: i % 3 === 0 ? 'symptom' : 'medication',
  workspaceId: `w${i % 5}`,
  source: ([null, 'workspace', 'provider'] as const)[i % 3]!,
}))

it('a search binds fewer values than D1 takes, however many words there are', () => {
  for (const question of questions) expect(searchStatement(question).params.length).toBeLessThan(100)
})

it('the text of a search is the same for as many words that may have as many letters wrong, so that it is planned once', () => {
  const textOf = (words: string[]) => searchStatement({ ...questions[1]!, words }).sql
  expect(textOf(['metformin', 'tab'])).toBe(textOf(['paracetamol', 'gel']))
  expect(textOf(['metformin', 'tab'])).not.toBe(textOf(['metformin']))
})
