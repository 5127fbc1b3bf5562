import type { CatalogClient } from '#client/catalog-client'
import type { ServiceClient } from '#client/client'

/**
 * Calls that must not compile. This file is never run. If one of its lines compiles, the type check fails, because its
 * `@ts-expect-error` is then unused.
 */
export async function wrongCalls(client: ServiceClient): Promise<void> {
  const type = 'medication'
  // @ts-expect-error the path does not exist
  await client.get('/admin/datasets/v2/', { query: { type } })
  // @ts-expect-error the path only supports GET
  await client.post('/admin/datasets/v1/batches/', { query: { type } })
  // @ts-expect-error `type` is required
  await client.get('/admin/datasets/v1/', { query: { limit: 50 } })
  // @ts-expect-error the catalog does not exist
  await client.get('/admin/datasets/v1/', { query: { type: 'medicine' } })
  // @ts-expect-error the parameter is `dry_run`
  await client.post('/admin/datasets/v1/', { query: { type, dryRun: true }, body: [] })
  // @ts-expect-error the path parameter is `entity_id`
  await client.get('/admin/datasets/v1/{entity_id}/', { params: { id: '1' }, query: { type } })
  // @ts-expect-error a body is required
  await client.post('/admin/datasets/v1/search-status/', { query: { type } })
  // @ts-expect-error one record is not a list of records
  await client.post('/admin/datasets/v1/', { query: { type }, body: { medication_id: '1', name: 'Aspirin' } })
  // @ts-expect-error `otc` is a boolean
  await client.post('/admin/datasets/v1/', { query: { type }, body: [{ medication_id: '1', otc: 'yes' }] })
  const page = await client.get('/admin/datasets/v1/', { query: { type } })
  // @ts-expect-error a page has `total`
  page.totals
}

/** Calls that compile, which shows that the calls above fail only for their own reason. */
export async function rightCalls(client: ServiceClient): Promise<void> {
  const type = 'medication'
  await client.get('/admin/datasets/v1/', { query: { type, limit: 50, offset: '0', updated_since: new Date(0) } })
  const query = { type, keep_missing: true, expected_revision: 7 } as const
  await client.post('/admin/datasets/v1/', { query, body: [{ medication_id: '1', otc: true }] })
  const onProgress = (sent: number, total: number | null) => total && sent / total
  const body = { file: new Blob(['id,name\n1,Aspirin\n']), fileName: 'a.csv' }
  await client.post('/admin/datasets/v1/', { query: { type, dry_run: true }, body, onProgress })
  await client.get('/admin/datasets/v1/{entity_id}/', { params: { entity_id: '1' }, query: { type }, exact: true })
  await client.file('get', '/admin/datasets/v1/', { query: { type, format: 'csv' } })
}

export async function ofCatalog(client: CatalogClient): Promise<unknown[]> {
  for await (const record of client.records('lab_test')) if (record.specimen !== null) return [record.lab_test_id]
  // @ts-expect-error a medication has no specimen
  for await (const record of client.records('medication')) if (record.specimen !== null) return [record.strength]
  const result = await client.sync('medication', [])
  // @ts-expect-error it may have been stopped
  if (result.written.revision === 1) return []
  if (result.outcome === 'written') return [result.written.revision]
  if (result.outcome === 'stopped') return [result.waiting?.uploadId, result.stops[0]?.code]
  return [result.plan.inserted]
}
