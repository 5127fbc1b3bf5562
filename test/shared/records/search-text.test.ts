import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import { foldText, SearchTexts, wordsOf } from '#shared/records/search-text'

// Without the Greek letters whose iota is a mark in lower case and a letter in upper case: among several marks Unicode
// puts it into another place than the letter.
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .filter((value) => !value.normalize('NFD').includes('\u0345'))

describe('folded text', () => {
  it('is the same for every case of every character, within a word too', () => {
    const differing: string[] = []
    // No letter beyond these two planes has a case.
    for (let point = 1; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      for (const value of [String.fromCodePoint(point), `x${String.fromCodePoint(point)}y`]) {
        const folded = foldText(value)
        if (foldText(value.toUpperCase()) !== folded || foldText(value.toLowerCase()) !== folded) {
          differing.push(point.toString(16))
        }
      }
    }
    expect(differing).toEqual([])
  })

  it('is the same for every case and every normal form of a text, and for folded text', () => {
    fc.assert(
      fc.property(text, (value) => {
        const folded = foldText(value)
        expect(foldText(folded)).toBe(folded)
        expect(foldText(value.toLowerCase())).toBe(folded)
        expect(foldText(value.toUpperCase())).toBe(folded)
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

it('the words of a query are folded', () => {
  expect(wordsOf('  Para ÉTÉ para\u3000ete ')).toEqual(['para', 'ete', 'para', 'ete'])
  expect(wordsOf(' \t')).toEqual([])
})

/** The marks of the scripts from Greek to Thai. */
const MARKS = Array.from({ length: 0x0e80 - 0x0370 }, (_, offset) => String.fromCharCode(0x0370 + offset)).filter(
  (character) => /\p{M}/u.test(character),
)

describe('the search text of a record', () => {
  const textOf = (name: string, display?: string, aliases: string[] = []) =>
    new SearchTexts().of(name, display, aliases).text

  /** The names whose search text is not made of the words that a query with the same text has. */
  const differing = (names: Iterable<string>): string[] => {
    const texts = new SearchTexts()
    return [...names].filter(
      (name) => name.isWellFormed() && texts.of(name, undefined, []).text !== `\n${wordsOf(name).join(' ')}\n`,
    )
  }

  it('holds the words of a name as a query folds them: every character', () => {
    expect(differing(Array.from({ length: 0x10000 }, (_, code) => `${String.fromCharCode(code)}a`))).toEqual([])
  })

  it('holds the words of a name as a query folds them: any two marks in either order', () => {
    expect(differing(MARKS.flatMap((first) => MARKS.map((second) => `क${first}${second}`)))).toEqual([])
  })

  it('holds the words of a name as a query folds them: capital letters and white space of any kind', () => {
    expect(
      differing(['ПАРАЦЕТАМОЛ 500 мг', ' Йод\u00a0', 'ΑΣΠΙΡΙΝΗΣ Σ', 'पैरासिटामोल  500', '阿司匹林\t片', 'İA']),
    ).toEqual([])
  })

  it('separates names from aliases, and the first word of a line from its other words', () => {
    expect(textOf('  Baby  ASPIRIN ')).toBe('\nbaby aspirin\n')
    expect(textOf('Aspirin 81', 'Baby Aspirin', ['ASA', 'Acetylsalicylic acid'])).toBe(
      '\naspirin 81\nbaby aspirin\n\rasa\racetylsalicylic\tacid\r',
    )
    expect(textOf('Ästhma', undefined, ['Asthma bronchiale'])).toBe('\nasthma\n\rasthma\tbronchiale\r')
  })

  it('is sent without the lines of names that folding does not change', () => {
    const sentOf = (name: string, display?: string, aliases: string[] = []) =>
      new SearchTexts().of(name, display, aliases).sentText
    expect(sentOf('अमझएएक', 'вода 5%', ['ASA b'])).toBe('N\nD\n\rasa\tb\r')
    expect(sentOf('aspirin', 'Ästhma')).toBe('N\nasthma\n')
    expect(sentOf('Вода', 'вода 5%')).toBe('\nвода\nвода 5%\n')
    expect(sentOf('two  spaces')).toBe('\ntwo spaces\n')
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
    const { length } = new SearchTexts().of('name', undefined, aliases).text
    expect(length).toBeGreaterThan(MAX_SEARCH_TEXT_CHARACTERS)
    expect(length).toBeLessThan(MAX_SEARCH_TEXT_CHARACTERS + 2 * 200 * 18)
  })

  it('counts what repeated aliases fold to, and folds no further beyond the limit', () => {
    const aliases = Array.from({ length: 1000 }, () => '\ufdfa'.repeat(200))
    const { text, foldedCharacters } = new SearchTexts().of('name', undefined, aliases)
    expect(text.length).toBeLessThan(2 * 200 * 18)
    expect(foldedCharacters).toBeGreaterThan(MAX_SEARCH_TEXT_CHARACTERS)
    expect(foldedCharacters).toBeLessThan(MAX_SEARCH_TEXT_CHARACTERS + 2 * 200 * 18)
  })
})
