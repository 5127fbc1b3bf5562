import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { SearchTexts } from '#shared/records/search/search-text'
import { symptom } from '#shared/records/types/finding'
import { newCatalog } from '../../support/catalog'

interface Names {
  name: string
  display_name?: string
  aliases?: string[]
  refid?: unknown
}

const stored = async () =>
  (
    await env.DB.prepare(
      `select search_text as text, name_length as nameLength from records
        where catalog_id = (select max(catalog_id) from catalogs) order by record_id`,
    ).all<{ text: string; nameLength: number }>()
  ).results

const expectedOf = (names: Names) => {
  const { text } = new SearchTexts(symptom).of({ ...names })
  return { text, nameLength: [...text.slice(1, text.indexOf('\n', 1))].length }
}

const CASES: readonly Names[] = [
  { name: 'Aspirin 81 mg' },
  { name: 'N' },
  { name: 'D', display_name: 'N', aliases: ['ND', 'D N'] },
  { name: 'ASPIRIN', display_name: 'aspirin', aliases: ['Aspirin', 'ASA'] },
  { name: 'Aspirin', display_name: 'Baby ASPIRIN', aliases: ['Acetylsalicylic Acid'] },
  { name: 'Aspirin', aliases: ['N', 'D'] },
  { name: '  Two   SPACES ', display_name: 'A\tTab' },
  { name: 'парацетамол', display_name: 'Парацетамол 500 МГ', aliases: ['АЦЕТАМИНОФЕН'] },
  { name: 'ПАРАЦЕТАМОЛ', display_name: 'парацетамол 500' },
  { name: 'पैरासिटामोल 500 MG', display_name: 'पैरासिटामोल' },
  { name: '阿司匹林', display_name: '阿司匹林 ABC' },
  { name: 'Ästhma', display_name: 'asthma Ünd MEHR' },
  { name: 'İstanbul', display_name: 'ŞIŞLI' },
  { name: 'Say "aah" \\ NOW', display_name: "it's 😀 NEW" },
  { name: 'a\u0001B', display_name: 'c\u0001D' },
  { name: 'with refid', display_name: 'a list', refid: [1, { a: 'N' }] },
  { name: 'with refid', display_name: 'A Number', refid: 1 },
  { name: 'small', display_name: 'letters', aliases: ['ND', 'only'] },
  { name: 'ℕ 𝐃' },
]

it('the stored search text of records, inserted or updated, is that of their names', async () => {
  const catalog = await newCatalog('symptom')
  const records = CASES.map((fields, index) => catalog.record(String(index + 100), { ...fields }))
  await catalog.write(records)
  expect(await stored()).toEqual(CASES.map(expectedOf))
  await catalog.write(records.map((record) => ({ ...record, name: 'Other', display_name: null, aliases: [] })))
  await catalog.write(records)
  expect(await stored()).toEqual(CASES.map(expectedOf))
})
