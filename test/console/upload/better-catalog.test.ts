import { expect, it } from 'vitest'
import { findBetterCatalog } from '#console/upload/process/better-catalog'
import type { UploadClient } from '#console/upload/process/held-file'
import type { Check } from '#console/upload/process/stage'
import type { RawRecord, RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { RecordRules } from '#shared/records/rules'

const IDS = ['S1', 'S2', 'S3', 'S4']
const ALL_NEW = { total: 4, inserted: 4 } as Check

interface Asked {
  query: { type: RecordTypeName; dry_run: boolean }
  body: RawRecord[]
}

/** A service whose catalogs know some records. Records that break the rules of a catalog are refused, as it does. */
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

it.each(['lab_test', 'symptom', 'diagnosis'] as const)(
  'ids that %s knows are of that catalog, also if its records are not in use',
  async (type) => {
    const { client, asked } = serviceWith({ [type]: { updated: 1, reactivated: 3 } })
    expect(await find(client, ALL_NEW)).toMatchObject({ type, by: 'ids' })
    expect(asked.map(({ query }) => query.dry_run)).toEqual([true, true, true])
  },
)

it('nobody is asked about a file of which more than half is known in the chosen catalog', async () => {
  const { client, asked } = serviceWith({ symptom: { updated: 4, reactivated: 0 } })
  expect(await find(client, { total: 4, inserted: 1 } as Check)).toBeUndefined()
  expect(asked).toEqual([])
})

it('the chosen catalog is asked too about a file with errors, and wins if it knows the ids', async () => {
  const known = { updated: 4, reactivated: 0 }
  const { client, asked } = serviceWith({ medication: known, symptom: known })
  expect(await find(client, undefined)).toBeUndefined()
  expect(asked).toHaveLength(4)
})
