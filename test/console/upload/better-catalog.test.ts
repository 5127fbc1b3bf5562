import { expect, it } from 'vitest'
import { findBetterCatalog } from '#console/upload/process/better-catalog'
import type { UploadClient } from '#console/upload/process/held-file'
import type { Check } from '#console/upload/process/stage'
import { contentFit } from '#files/columns/catalog-fit'
import type { RawRecord, RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { RecordRules } from '#shared/records/rules'

const IDS = ['S1', 'S2', 'S3', 'S4']
const ALL_NEW = { total: 4, inserted: 4 } as Check

interface Asked {
  query: { type: RecordTypeName; dry_run: boolean }
  body: RawRecord[]
}

/**
 * A service whose catalogs contain some records. It rejects records that break the rules of a catalog, as the real one
 * does.
 */
function serviceWith(known: Partial<Record<RecordTypeName, { updated: number; reactivated: number }>>) {
  const asked: Asked[] = []
  const post = async (_: string, request: Asked) => {
    asked.push(request)
    const rules = new RecordRules(recordTypes[request.query.type])
    const errors = request.body.flatMap((record) => rules.check(record))
    if (errors.length > 0) throw new Error(errors.map(({ msg }) => msg).join(', '))
    return known[request.query.type] ?? { updated: 0, reactivated: 0 }
  }
  return { asked, client: { post } as unknown as UploadClient }
}

const find = (client: UploadClient, check: Check | undefined) =>
  findBetterCatalog(client, 'medication', IDS, check, new AbortController().signal)

const KNOWN = { updated: 4, reactivated: 0 }

it('IDs that another catalog contains belong to it, active or not', async () => {
  const { client, asked } = serviceWith({ symptom: { updated: 1, reactivated: 3 } })
  expect(await find(client, ALL_NEW)).toMatchObject({ type: 'symptom', by: 'ids' })
  expect(asked.map(({ query }) => query.dry_run)).toEqual([true, true, true])
})

it.each<[string, Parameters<typeof serviceWith>[0], Check | undefined, number]>([
  ['no question if more than half is known there', { symptom: KNOWN }, { total: 4, inserted: 1 } as Check, 0],
  ['of a file with errors it is asked too, and wins', { medication: KNOWN, symptom: KNOWN }, undefined, 4],
])('the chosen catalog stays selected: %s', async (_, known, check, times) => {
  const { client, asked } = serviceWith(known)
  expect(await find(client, check)).toBeUndefined()
  expect(asked).toHaveLength(times)
})

it.each([
  ['unknown', ['id', 'name', 'icd10', 'icd10_term', 'gender'], { type: 'symptom', by: 'content' }],
  ['of all types', ['id', 'name', 'aliases', 'display_name', 'refid'], undefined],
])('headers that are %s suggest no catalog', (_, header, better) => {
  expect(contentFit(header, [], recordTypes.medication).better).toEqual(better)
})
