import { describe, expect, it } from 'vitest'
import { problemsOf } from '../../scripts/lint/prose.mjs'

const words = (count) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')

describe('the check of the prose', () => {
  it.each([
    ['is in a paragraph, also one of several lines', `${words(20)}\n${words(11)}.`],
    ['is in an item of a list', `- ${words(31)}.`],
    ['is in a cell', `| Name | ${words(31)} |`],
    ['goes on after a colon', `${words(20)}: ${words(11)}.`],
    ['follows a bold word', `**New.** ${words(31)}.`],
  ])('finds a sentence of more than 30 words that %s', (_, text) => {
    expect(problemsOf('docs/page.md', text)).toEqual([expect.stringContaining('more than 30 words')])
  })

  it.each([
    ['a list of values after a colon', `${words(20)}: ${words(5)}, ${words(5)} and ${words(5)}.`],
    [
      'two cells, items or lines of a quotation',
      `| ${words(20)} | ${words(20)} |\n\n- ${words(20)}\n- ${words(20)}\n\n> ${words(30)}`,
    ],
  ])('counts separately: %s', (_, text) => expect(problemsOf('docs/page.md', text)).toEqual([]))

  it.each([
    ['The answer is 409.', 'answer is 409'],
    ['You can take the catalog back.', 'take the catalog back'],
    ['Nobody is told of the watched catalog.', 'Nobody', 'watched', 'is told'],
    ['| Ids | what becomes of them |', 'Ids', 'what becomes of'],
    ['The service carries out the write at once.', 'carries out', 'at once'],
  ])('finds words that have a standard term: %s', (text, ...found) => {
    expect(problemsOf('docs/contract.md', text)).toEqual(found.map((one) => expect.stringContaining(`“${one}”`)))
  })

  it('accepts API names as code', () => {
    expect(problemsOf('docs/page.md', 'The upload is `held`, and its state is `refused`.')).toEqual([])
  })
})
