import { expect, it } from 'vitest'
import { readNeeds } from '#worker/search/query/needs'
import { type SearchQuestion, searchStatement } from '#worker/search/query/statement'

const WORDS = [
  ...['ibuprofen', 'tablet', 'mg', '5', 'paracetamol', 'xlinked', 'acid', 'forte', 'ibuprofn', '2.5', 'er'],
  ...['hydrochlorothiazide', 'ångström', 'co', 'tablet', 'éphédrine', 'drops', 'for', 'children', 'hcl'],
]

const questionOf = (words: readonly string[], more: Partial<SearchQuestion> = {}): SearchQuestion => ({
  needs: readNeeds('medication', words),
  code: words.join(''),
  asksNearWords: true,
  offset: 0,
  limit: 20,
  type: 'medication',
  workspaceId: 'w',
  source: null,
  knownEpoch: '',
  ...more,
})

it('a search binds fewer values than D1 takes, however many words there are', () => {
  for (let i = 0; i < 400; i++) {
    const words = Array.from(
      { length: 1 + (i % 12) },
      (_, j) => WORDS[(i * 5 + j * (1 + (i % 4))) % WORDS.length] ?? '',
    )
    const { params } = searchStatement(questionOf(words, { source: ([null, 'workspace'] as const)[i % 2] ?? null }))
    expect(params.length, words.join(' ')).toBeLessThan(100)
  }
})

it('the text of a search is the same for words of the same kinds, so that it is planned once', () => {
  const textOf = (...words: string[]) => searchStatement(questionOf(words)).sql
  expect(textOf('metformin', '500', 'tab')).toBe(textOf('ibuprofen', '20', 'gel'))
  expect(textOf('metformin', 'tab')).not.toBe(textOf('metformin'))
})
