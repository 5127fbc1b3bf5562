import type { CatalogClient } from '#client/catalog-client'
import type { ServiceClient } from '#client/client'

/**
 * Calls that must not compile. Nothing runs this file. The type check fails when one of the lines compiles, because
 * its `@ts-expect-error` is then unused.
 */
export async function wrongCalls(client: ServiceClient): Promise<void> {
  const type = 'medication'

  // Paths
  // @ts-expect-error there is no such path
  await client.get('/admin/datasets/v2/', { query: { type } })
  // @ts-expect-error the path takes GET only
  await client.post('/admin/datasets/v1/batches/', { query: { type } })
  // @ts-expect-error the answer is a redirect, for browsers
  await client.get('/api/v1/auth/oidc/login', { query: {} })
  // @ts-expect-error the answer is never a file
  await client.file('get', '/admin/datasets/v1/batches/', { query: { type } })

  // Parameters
  // @ts-expect-error `type` is required
  await client.get('/admin/datasets/v1/', { query: { limit: 50 } })
  // @ts-expect-error `type` is required
  await client.get('/admin/datasets/v1/')
  // @ts-expect-error there is no such catalog
  await client.get('/admin/datasets/v1/', { query: { type: 'medicine' } })
  // @ts-expect-error the parameter is `dry_run`
  await client.post('/admin/datasets/v1/', { query: { type, dryRun: true }, body: [] })
  // @ts-expect-error a whole number
  await client.get('/admin/datasets/v1/', { query: { type, limit: true } })
  // @ts-expect-error true or false
  await client.post('/admin/datasets/v1/', { query: { type, dry_run: 1 }, body: [] })
  // @ts-expect-error a time is a `Date` or ISO 8601
  await client.get('/admin/datasets/v1/', { query: { type, updated_since: 1_700_000_000_000 } })
  // @ts-expect-error the path has a parameter
  await client.get('/admin/datasets/v1/{entity_id}/', { query: { type } })
  // @ts-expect-error the parameter of the path is `entity_id`
  await client.get('/admin/datasets/v1/{entity_id}/', { params: { id: '1' }, query: { type } })
  // @ts-expect-error the path has no parameters
  await client.get('/admin/datasets/v1/', { params: { entity_id: '1' }, query: { type } })

  // Bodies
  // @ts-expect-error a body is required
  await client.post('/admin/datasets/v1/search-status/', { query: { type } })
  // @ts-expect-error `enabled` is a boolean
  await client.post('/admin/datasets/v1/search-status/', { query: { type }, body: { enabled: 'true' } })
  // @ts-expect-error there is no such role
  await client.post('/admin/workspace/v1/members', { body: { email: 'a@b.example', role: 'owner' } })
  // @ts-expect-error one record is not a list of records
  await client.post('/admin/datasets/v1/', { query: { type }, body: { medication_id: '1', name: 'Aspirin' } })
  // @ts-expect-error `otc` is a boolean
  await client.post('/admin/datasets/v1/', { query: { type }, body: [{ medication_id: '1', otc: 'yes' }] })
  // @ts-expect-error reading takes no body
  await client.get('/admin/datasets/v1/batches/', { query: { type }, body: {} })
  // @ts-expect-error nothing is uploaded here
  await client.post('/api/v1/auth/session/logout', { onProgress: () => {} })

  // Answers
  const page = await client.get('/admin/datasets/v1/', { query: { type } })
  // @ts-expect-error a page has `total`
  page.totals
  const written = await client.post('/admin/datasets/v1/', { query: { type }, body: [] })
  // @ts-expect-error a count is a number
  written.inserted satisfies string
  // @ts-expect-error there are two modes
  written.mode === 'replace'
}

/** Calls that compile, which shows that the calls above fail only for their own reason. */
export async function rightCalls(client: ServiceClient): Promise<void> {
  const type = 'medication'
  await client.get('/admin/datasets/v1/', {
    query: { type, limit: 50, offset: '0', updated_since: new Date(0) },
  })
  await client.post('/admin/datasets/v1/', { query: { type, dry_run: true, expected_revision: 7 }, body: [] })
  await client.post('/admin/datasets/v1/', {
    query: { type },
    body: { file: new Blob(['id,name\n1,Aspirin\n']), fileName: 'a.csv' },
    onProgress: (sent, total) => total && sent / total,
  })
  await client.get('/admin/datasets/v1/{entity_id}/', {
    params: { entity_id: '1' },
    query: { type },
    exact: true,
  })
  await client.post('/admin/datasets/v1/', {
    query: { type, keep_missing: true },
    body: [{ medication_id: '1', otc: true }],
  })
  await client.file('get', '/admin/datasets/v1/', { query: { type, format: 'csv' } })
  await client.post('/api/v1/auth/session/logout')
  await client.post('/api/v1/auth/session/token', { body: {} })
  await client.delete('/admin/workspace/v1/members/{email}', { params: { email: 'a@b.example' } })
}

export async function narrowed(client: CatalogClient): Promise<unknown[]> {
  const found: unknown[] = []
  const result = await client.sync('medication', [])
  // @ts-expect-error it may have been stopped
  found.push(result.written.revision)
  if (result.outcome === 'written') found.push(result.written.revision)
  else if (result.outcome === 'stopped') found.push(result.waiting?.uploadId, result.stops[0]?.code)
  else found.push(result.plan.inserted)
  return found
}
