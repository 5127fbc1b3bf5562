import { describe, expect, it } from 'vitest'
import type { RawRecord } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { codeTextMaker, SearchTexts } from '#shared/records/search/search-text'
import { diagnosis } from '#shared/records/types/finding'
import { medication } from '#shared/records/types/medication'
import { foldCode, foldedWords } from '#shared/text/fold'

/** The search text in readable form: `|` before and after lines, spaces between words, and the facts in a list. */
function read(name: string, fields: RawRecord = {}, type = medication) {
  const { text } = new SearchTexts(type).of({ name, ...fields })
  const [names = '', other = ''] = text.split('\f')
  const [lines = '', ...facts] = other.split('\b')
  const readable = (part: string) => part.replace(/[\n\r]+/g, '|').replaceAll('\t', ' ')
  return { names: readable(names), lines: readable(lines), facts: facts.filter((fact) => fact !== '').sort() }
}

describe('the search text of a record', () => {
  it('contains the words of a name in the normalized form of queries, for every character', () => {
    const differing = Array.from({ length: 0x10000 }, (_, code) => `${String.fromCharCode(code)}a`).filter(
      (name) => name.isWellFormed() && read(name).names !== `|${foldedWords(name).join(' ')}|`,
    )
    expect(differing).toEqual([])
  })

  it('has a line for each name and alias', () => {
    expect(read('  Baby  ASPIRIN ').names).toBe('|baby aspirin|')
    const fields = { display_name: 'Baby Aspirin', aliases: ['ASA', 'asa', 'Baby aspirin', 'Acetylsalicylic acid'] }
    expect(read('Aspirin', fields).names).toBe('|aspirin|baby aspirin|asa|acetylsalicylic acid|')
  })

  it('then has the lines of generics, strength and terms', () => {
    const fields = { generic_name: 'Aspirin', generic_list: ['Aspirin', 'Caffeine Citrate'], strength: '81 mg' }
    expect(read('Alka', fields)).toMatchObject({ names: '|alka|', lines: '|81 mg|aspirin|caffeine citrate|' })
    expect(read('Aspirin', fields).lines).toBe('|81 mg|caffeine citrate|')
    expect(read('Aspirin 81 mg', fields).lines).toBe('|aspirin|caffeine citrate|')
    expect(read('Fit', { icd10_term: 'Epilepsy', snomed_id: '123' }, diagnosis).lines).toBe('|epilepsy|')
  })

  it.each([
    ['500 mg', ['=500mg']],
    ['1 g', ['=1000mg', '~1000']],
    ['500 mg;125 mg', ['=125mg', '=500mg', '=625mg', '~625']],
    ['250mg/5ml', ['=250mg', '=5ml']],
    ['0.9%', ['=0.9%']],
    ['500', ['#500']],
    ['500/125 mg', ['#500', '=125mg', '=625mg', '~625']],
    ['1.000 mg', ['=1.000mg']],
    ['025 mg', ['=025mg']],
    ['5 mCi', ['=5mci']],
    ['10 mg/1 g', ['=10mg']],
    ['5000/ml', ['#5000']],
    ['1:1000', []],
    ['250 mg/tab 20 tabs', ['#20', '=250mg']],
  ])('contains the quantities of a strength of %s in the unit of their kind', (strength, facts) => {
    expect(read('N', { strength }).facts).toEqual(facts)
  })

  it.each([
    ['Tabs', [':tablet']],
    ['TABLET, EXTENDED RELEASE', ['!er', ':extended', ':release', ':tablet']],
  ])('contains the words of the form %s and its release type', (form_name, facts) => {
    expect(read('N', { form_name }).facts).toEqual(facts)
  })

  it('contains the ends of words in scripts without spaces', () => {
    expect(read('阿司匹林片').facts).toEqual(['<匹林片', '<司匹林片', '<林片', '<片'])
  })
})

it.each(Object.values(recordTypes))('the codes of a $name are only its ID and its code fields', (type) => {
  const fields = type.fields.filter(({ kind }) => kind === 'string' || kind === 'list')
  const record = Object.fromEntries(fields.map(({ kind, name }) => [name, kind === 'list' ? ['A-1', name] : name]))
  const codes = fields.filter(({ searchedAs }) => searchedAs === 'code').map(({ name }) => name)
  const found = new Set(codeTextMaker(type)({ ...record, refid: 'refid' }).split('\n'))
  found.delete('')
  found.delete('a1')
  expect([...found].sort()).toEqual(codes.map((name) => foldCode(name)).sort())
  expect(codes).toContain(type.idField)
})
