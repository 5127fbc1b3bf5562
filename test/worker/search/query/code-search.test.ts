import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { idsFound, searched } from '../../../support/searches'

const catalog = catalogOfEachTest()

describe('a search for an ID or a code', () => {
  it('returns records with the whole code first', async () => {
    const catalog = await newCatalog('diagnosis')
    const named = (id: string, name: string, fields = {}) => catalog.record(id, { name, ...fields })
    await catalog.write([
      named('8', 'Other', { aliases: ['The E88.9'] }),
      named('7', 'The E88.9'),
      named('6', 'A', { aliases: ['E88.9 and more'] }),
      named('5', 'B', { aliases: ['E88.9'] }),
      named('4b', 'Longer', { icd10: 'E88.91' }),
      named('4a', 'Short', { icd10: 'E88.99' }),
      named('3', 'E88.9 at the beginning of a name'),
      named('2', 'E88.9'),
      named('1b', 'Longer', { icd10: 'E88.9' }),
      named('e88.9', 'Short'),
    ])
    expect(await idsFound(catalog, 'e88.9')).toEqual(['e88.9', '1b', '2', '3', '4a', '4b', '5', '6', '7', '8'])
    expect(await idsFound(catalog, 'E88.9', 4)).toEqual(['e88.9', '1b', '2', '3'])
  })

  it('matches the beginning of a code from three characters on', async () => {
    await catalog.write([
      catalog.record('1', { name: 'A', sku: 'Q7' }),
      catalog.record('2', { name: 'B', sku: 'Q789' }),
      catalog.record('MED-500123', { name: 'Amoxicillin', sku: 'amoxicilin' }),
    ])
    expect(await idsFound(catalog, 'q')).toEqual([])
    expect(await idsFound(catalog, 'q7')).toEqual(['1'])
    expect(await idsFound(catalog, 'q78')).toEqual(['2'])
    expect(await idsFound(catalog, '1')).toEqual(['1'])
    for (const q of ['med-500125', 'med-50123']) expect(await idsFound(catalog, q), q).toEqual([])
    // By its code, and not again as an approximate match of its name.
    expect(await searched(catalog, 'amoxicilin')).toMatchObject({ ids: ['MED-500123'], approximate: 0 })
  })

  it('finds a code after the name of its system, and with or without leading zeros', async () => {
    await catalog.write([
      catalog.record('1', { name: 'A', sku: '091375' }),
      catalog.record('2', { name: 'B', sku: '0093-7212-01' }),
      catalog.record('3', { name: 'C', sku: '00093721256' }),
      catalog.record('4', { name: 'Tablets 050' }),
    ])
    for (const q of ['91375', '0091375', 'SKU 91375', 'ndc: 091375'])
      expect(await idsFound(catalog, q), q).toEqual(['1'])
    for (const q of ['NDC 0093-7212-01', '0093721201', '93-7212-01'])
      expect(await idsFound(catalog, q), q).toEqual(['2'])
    expect(await idsFound(catalog, 'NDC 0093-7212-56')).toEqual(['3'])
    for (const q of ['0913750', '9137', '50']) expect(await idsFound(catalog, q), q).toEqual([])
  })

  it('normalizes codes like names', async () => {
    const cases = [
      ['ÄB-12', 'ab-12', 'äb-1'],
      ['ＤＢＣ－１2', 'DBC-12', 'dbc1'],
      ['I42.0', 'i420', 'i42'],
      ['ऄ१२३', 'ऄ123', 'ऄ१२'],
      ['50_off*[x]', '50 OFF X', '50_o'],
    ]
    await catalog.write(
      cases.flatMap(([code = '']) => [
        catalog.record(`sku ${code}`, { name: 'N', sku: code }),
        catalog.record(code, { name: 'Longer name' }),
      ]),
    )
    for (const [code = '', ...others] of cases) {
      for (const q of [code, ...others]) expect(await idsFound(catalog, q), q).toEqual([`sku ${code}`, code])
    }
  })

  it('finds only active records of its own catalog', async () => {
    const [own, other] = [await newCatalog(), await newCatalog()]
    await other.write([other.record('theirs', { sku: 'SKU-2', generic_list_ids: ['sku-1'] })])
    const inactive = own.records(400, () => ({ sku: 'sku-1', is_active: false }))
    await own.write([...inactive, own.record('active', { sku: 'SKU-1', generic_list_ids: ['gén-b'] })])
    const found = () => Promise.all(['sku-1', 'sku-2', 'GEN-B', 'new-1'].map((q) => idsFound(own, q)))
    expect(await found()).toEqual([['active'], [], ['active'], []])
    await own.reconcile([own.record('active', { sku: 'new-1' })])
    expect(await found()).toEqual([[], [], [], ['active']])
    await new TestHistory(own).restore(1)
    expect(await found()).toEqual([['active'], [], ['active'], []])
    await own.write([own.record('active', { sku: 'SKU-1', is_active: false })])
    expect(await found()).toEqual([[], [], [], []])
  })
})
