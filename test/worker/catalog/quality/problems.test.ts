import { describe, expect, it } from 'vitest'
import { call, catalogOfEachTest, dataOf, type Fields, newCatalog, queryString } from '../../../support/catalog'
import { newMember } from '../../../support/members'
import { jsonBody } from '../../../support/service'

const catalog = catalogOfEachTest()
const { record } = catalog

const PATH = '/admin/catalogs/v1/medication/problems'

interface Problems {
  items: { record: Fields; code: string; field: string; value: string; other?: string; similar_to?: string }[]
  total: number
  has_more: boolean
  by_code: Record<string, number>
}

const problems = async (query: Record<string, string | number> = {}) =>
  dataOf<Problems>(await call(catalog.workspace.token, 'GET', PATH + queryString(query)))

const accept = (id: string, code: string, token = catalog.workspace.token) =>
  call(token, 'POST', `${PATH}/accept`, jsonBody({ id, code }))

const ids = ({ items }: Problems) => items.map((item) => item.record.medication_id)

const LEVOTHYROXINE = { name: 'Levothyroxine 100mcg', strength: '100mg' }
const ASPIRIN = { name: 'Aspirin 81 mg', strength: '81 mg', form_name: 'Tablet' }

describe('the possible problems of a catalog', () => {
  it('are those of its active records, by code and ID', async () => {
    await catalog.write([
      record('c', LEVOTHYROXINE),
      record('b', { ...ASPIRIN, sku: '1', aliases: ['ASA'] }),
      record('a', { ...ASPIRIN, name: 'ASPIRIN 81mg', display_name: 'Aspirin, 81 mg', sku: '2' }),
      record('off', { ...LEVOTHYROXINE, is_active: false }),
      record('other', { ...ASPIRIN, form_name: 'Capsule' }),
    ])
    const all = await problems()
    expect(all).toMatchObject({
      total: 2,
      by_code: { check_digit: 0, same_item: 1, strength_conflict: 1 },
      items: [
        { record: { medication_id: 'a', sku: '2' }, code: 'same_item', similar_to: 'b' },
        { code: 'strength_conflict', field: 'strength', value: '100mg', other: 'Levothyroxine 100mcg' },
      ],
    })
    const second = await problems({ limit: 1, offset: 1 })
    expect(ids(second)).toEqual(['c'])
    expect(second.has_more).toBe(false)
    const conflicts = await problems({ code: 'strength_conflict' })
    expect(conflicts).toMatchObject({ total: 1, by_code: all.by_code })
    await catalog.refused(400, call(catalog.workspace.token, 'GET', `${PATH}?code=renamed`))
  })

  it('follow the catalog', async () => {
    await catalog.write([record('c', LEVOTHYROXINE)])
    expect(ids(await problems())).toEqual(['c'])
    await catalog.write([record('c', { ...LEVOTHYROXINE, strength: '100 mcg' })])
    expect(await problems()).toMatchObject({ total: 0, items: [] })
  })

  it('can be accepted one by one until their record changes', async () => {
    await catalog.write([record('c', LEVOTHYROXINE), record('d', { ...LEVOTHYROXINE, form_name: 'Drops' })])
    expect(dataOf(await accept('c', 'strength_conflict'))).toEqual({ accepted: true })
    expect(await problems()).toMatchObject({ total: 1, by_code: { strength_conflict: 1 } })
    expect(ids(await problems())).toEqual(['d'])
    await catalog.write([record('c', { ...LEVOTHYROXINE, manufacturer: 'Other' })])
    expect(ids(await problems())).toEqual(['c', 'd'])
    await catalog.refused(404, accept('unknown', 'strength_conflict'))
    const viewer = await newMember(catalog.workspace.workspaceId, 'viewer')
    await catalog.refused(403, accept('c', 'strength_conflict', viewer))
  })

  it('are also wrong check digits, of every type', async () => {
    const diagnoses = await newCatalog('diagnosis')
    await diagnoses.write([{ diagnosis_id: 'D1', name: 'Fever', snomed_id: '386661007' }])
    const answer = await call(diagnoses.workspace.token, 'GET', '/admin/catalogs/v1/diagnosis/problems')
    expect(dataOf<Problems>(answer).items).toMatchObject([
      { record: { diagnosis_id: 'D1' }, code: 'check_digit', field: 'snomed_id', value: '386661007' },
    ])
  })
})
