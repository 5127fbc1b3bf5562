import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SEARCH_TEXT_CHARACTERS } from '#limits'
import { foldText, SearchTexts, wordsOf } from '#records/search-text'

// Without the Greek letters whose iota is a mark in lower case and a letter in upper case.
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .filter((value) => !value.normalize('NFD').includes('\u0345'))

describe('folded text', () => {
  it('is the same for every case of a text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const folded = foldText(value)
        expect(foldText(value.toLowerCase())).toBe(folded)
        expect(foldText(value.toUpperCase())).toBe(folded)
      }),
      { numRuns: 500 },
    )
  })

  it('is the same for every normal form of a text, and for folded text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const folded = foldText(value)
        expect(foldText(folded)).toBe(folded)
        for (const form of ['NFC', 'NFD']) expect(foldText(value.normalize(form))).toBe(folded)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['Crème Brûlée', 'creme brulee'],
    ['Æther œuvre', 'aether oeuvre'],
    ['ΌΔΟΣ', 'οδοσ'],
    ['Ⅻ ﬁ ½', 'xii fi 1⁄2'],
    ['שָׁלוֹם', 'שלום'],
    ['हिन्दी', 'हिन्दी'],
    ['ไทย น้ำ', 'ไทย น้ํา'],
  ])('drops the marks of %j that are no letters of their script', (value, folded) => {
    expect(foldText(value)).toBe(folded)
  })
})

describe('the words of a query', () => {
  it('are folded', () => {
    expect(wordsOf('  Para ÉTÉ para\u3000ete ')).toEqual(['para', 'ete', 'para', 'ete'])
    expect(wordsOf(' \t')).toEqual([])
  })
})

/** Letters, marks and digits of many scripts in any order, capital letters and spaces among them. */
const lineOfScripts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0x0370, max: 0x0e7f }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x0410, max: 0x044f }) },
      { weight: 2, arbitrary: fc.integer({ min: 0x0900, max: 0x0cff }) },
      { weight: 2, arbitrary: fc.constantFrom(0x20, 0x41, 0x61, 0x0130, 0x0301, 0x093c, 0x094d, 0x3099) },
      { weight: 1, arbitrary: fc.integer({ min: 0x3040, max: 0xfaff }) },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((codes) => String.fromCharCode(...codes))
  .filter((line) => line.isWellFormed())

describe('the search text of a record', () => {
  const textOf = (name: string, display?: string, aliases: string[] = []) =>
    new SearchTexts().of(name, display, aliases)

  it('holds the words of a name as a query folds them, for every character', () => {
    const texts = new SearchTexts()
    const differing: string[] = []
    for (let code = 0x20; code <= 0xffff; code++) {
      const name = `${String.fromCharCode(code)}a`
      if (name.isWellFormed() && texts.of(name, undefined, []) !== `\n${wordsOf(name).join(' ')}\n`) {
        differing.push(code.toString(16))
      }
    }
    expect(differing).toEqual([])
  })

  it('holds the words of a name as a query folds them, with marks of any script in any order', () => {
    fc.assert(
      fc.property(lineOfScripts, (name) => {
        expect(textOf(name)).toBe(`\n${wordsOf(name).join(' ')}\n`)
      }),
      { numRuns: 5000 },
    )
  })

  it('separates names from aliases, and the first word of a line from its other words', () => {
    expect(textOf('  Baby  ASPIRIN ')).toBe('\nbaby aspirin\n')
    expect(textOf('Aspirin 81', 'Baby Aspirin', ['ASA', 'Acetylsalicylic acid'])).toBe(
      '\naspirin 81\nbaby aspirin\n\rasa\racetylsalicylic\tacid\r',
    )
    expect(textOf('Ästhma', undefined, ['Asthma bronchiale'])).toBe('\nasthma\n\rasthma\tbronchiale\r')
  })

  it('has no line twice', () => {
    expect(textOf('Aspirin', 'ASPIRIN', ['aspirin', 'asa', 'ASA', 'Áspirin'])).toBe('\naspirin\n\rasa\r')
  })
})

describe('the search text of a record', () => {
  it('is not made longer than a record may have, even if folding makes it long', () => {
    const ligature = '\ufdfa'.repeat(200)
    expect(foldText(ligature).length).toBe(200 * 18)
    const aliases = Array.from({ length: 1000 }, (_, n) => `${n}${ligature}`)
    const { length } = new SearchTexts().of('name', undefined, aliases)
    expect(length).toBeGreaterThan(MAX_SEARCH_TEXT_CHARACTERS)
    expect(length).toBeLessThan(MAX_SEARCH_TEXT_CHARACTERS + 2 * 200 * 18)
  })
})
