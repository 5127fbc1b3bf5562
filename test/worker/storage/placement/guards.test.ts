import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { purgeWrites } from '#worker/catalog/history/purge'
import { endpoints } from '#worker/endpoints'
import { runScheduled } from '#worker/scheduled'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { WORKSPACE_TABLES } from '#worker/storage/placement/workspace-tables'
import { settleBackground } from '../../../support/background'
import { newCatalog } from '../../../support/catalog'
import { callOperator, newWorkspace } from '../../../support/credentials'
import { moveToTheEnd, several } from '../../../support/databases'
import { fileForm } from '../../../support/documents'
import { answering, receiving } from '../../../support/receivers'
import { bearer, calling, jsonBody } from '../../../support/service'
import { faultyDatabase } from '../faulty-database'

/** The statements of each call to a database. */
type Calls = string[][]

/** A database that notes what is sent to it. */
const recorded = (database: D1Database, calls: Calls) =>
  faultyDatabase(({ statements, run }) => {
    calls.push(statements)
    return run()
  }, database)

const CATALOG = '/admin/catalogs/v1/medication'
const DATASETS = '/admin/datasets/v1'

/** The endpoints that act on what is in a workspace's own database. */
const guarded = endpoints
  .map(({ method, path }) => ({ method, path }))
  .filter(({ path }) =>
    /^\/(admin\/(catalogs|datasets)|mr|registration|medical-db)\/|^\/platform\/.*\/(webhooks|quota)/.test(path),
  )

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** Fixed addresses first: `batches` is no id of a record. */
const endpointOf = (method: string, path: string) =>
  guarded
    .filter((endpoint) => endpoint.method === method.toLowerCase() && patternOf(endpoint.path).test(path))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]

interface Answer {
  data?: Record<string, unknown>
}

/** Calls every endpoint of a workspace in `DB_2`. @returns what `DB_2` was sent, and the endpoints that were called */
async function callEverything() {
  const calls: Calls = []
  const bindings = { ...several, DB_2: recorded(env.DB_2, calls) }
  const call = calling(undefined, bindings)
  const { workspaceId, token } = await newWorkspace()
  await moveToTheEnd(workspaceId, 'DB_2')
  const called = new Set<string>()
  const send = async (method: string, url: string, body?: unknown): Promise<Record<string, unknown>> => {
    const path = url.split('?')[0] ?? ''
    const known = endpointOf(method, path)
    if (known) called.add(`${known.method} ${known.path}`)
    const headers = bearer(path.startsWith('/platform') ? String(env.PLATFORM_ADMIN_TOKEN) : token)
    const sent = body instanceof FormData ? { headers, body } : jsonBody(body, headers)
    const answer = await call(url, { method, ...(body === undefined ? { headers } : sent) })
    const text = await answer.text()
    expect(answer.status, `${method} ${url}: ${text}`).toBe(200)
    await settleBackground()
    return (text.startsWith('{') ? (JSON.parse(text) as Answer).data : undefined) ?? {}
  }
  const records = [{ medication_id: 'a', name: 'Metformin', code: '1' }]
  const datasets = `${DATASETS}/?type=medication`
  await send('POST', datasets, records)
  await send('POST', datasets, [{ medication_id: 'a', name: 'Metformin 500' }])
  await send('POST', `${DATASETS}/?type=medication&mode=reconcile&confirm_shrink=true`, records)
  const { upload_id: waiting } = await send('POST', `${datasets}&dry_run=true&hold=true`, records)
  const { upload_id: other } = await send('POST', `${datasets}&dry_run=true&hold=true`, [
    { medication_id: 'b', name: 'Aspirin' },
  ])
  await send('GET', `${CATALOG}/uploads`)
  await send('GET', `${CATALOG}/uploads/${waiting}`)
  await send('GET', `${CATALOG}/uploads/${waiting}/content`)
  await send('POST', `${CATALOG}/uploads/${waiting}/write`)
  await send('DELETE', `${CATALOG}/uploads/${other}`)
  for (const path of ['', '/writes', '/changes?since_revision=0', '/comparison?from=1&to=2'])
    await send('GET', `${CATALOG}${path}`)
  await send('GET', '/admin/catalogs/v1/')
  await send('POST', datasets, [{ medication_id: 'd', name: 'Paracetamol' }])
  const { items } = await send('GET', `${CATALOG}/writes`)
  const [{ batch_id: write }] = items as [{ batch_id: string }]
  await send('GET', `${CATALOG}/writes/${write}`)
  await send('GET', `${CATALOG}/writes/${write}/changes`)
  await send('POST', `${CATALOG}/writes/${write}/undo`)
  await send('GET', `${CATALOG}/records/a/history`)
  await send('POST', `${CATALOG}/restore?revision=1`)
  await send('PUT', `${CATALOG}/watch`, { every_hours: 24 })
  await send('GET', `${CATALOG}/watch`)
  await send('DELETE', `${CATALOG}/watch`)
  for (const path of ['/', '/batches/', '/search-status/', '/drug-forms/', '/a/'])
    await send('GET', `${DATASETS}${path}?type=medication`)
  await send('GET', `${datasets}&format=csv`)
  await send('POST', `${DATASETS}/search-status/?type=medication`, { enabled: true })
  await send('GET', '/medical-db/v1/search/?type=medication&q=met')
  await send('GET', '/medical-db/v1/search/?type=medication&q=metfromin')
  await send('POST', '/medical-db/v1/search/', { type: 'medication', q: 'metf' })
  const { document_id } = await send('POST', '/mr/api/v2/docs', fileForm('bytes'))
  await send('GET', `/mr/api/v2/docs/${document_id}`)
  await send('GET', `/mr/api/v2/docs/${document_id}/content`)
  await send('DELETE', `/mr/api/v2/docs/${document_id}`)
  await send('POST', '/registration/v1/init', { mobile_number: '+919876543210' })
  const workspace = `/platform/v1/workspaces/${workspaceId}`
  await send('GET', `${workspace}/quota`)
  await send('POST', `${workspace}/quota`, { documents: 5 })
  const { webhook_id: hook } = await send('POST', `${workspace}/webhooks`, {
    url: 'https://hooks.example/in',
  })
  await send('GET', `${workspace}/webhooks`)
  for (const verb of ['test', 'rotate', 'enable']) await send('POST', `${workspace}/webhooks/${hook}/${verb}`)
  await send('POST', datasets, [{ medication_id: 'c', name: 'Ibuprofen' }])
  await send('DELETE', `${workspace}/webhooks/${hook}`)
  return { calls, called }
}

const GUARD = /^select json_extract\('\{\}', \?\) where .*workspace_fences/s

it('requests: a guard is the first statement of every call to the database of a workspace', async () => {
  receiving(answering(500))
  const { calls, called } = await callEverything()
  expect(guarded.map(({ method, path }) => `${method} ${path}`).filter((each) => !called.has(each))).toEqual([])
  expect(calls.length).toBeGreaterThan(50)
  for (const [first, ...others] of calls) {
    expect(first).toMatch(GUARD)
    expect(others.length).toBeGreaterThan(0)
  }
})

const MOVED_TABLES = WORKSPACE_TABLES.map(({ name }) => name).join('|')
const WRITES = new RegExp(`^\\s*(insert into|update|delete from)\\s+"?(${MOVED_TABLES})"?\\b`, 'i')

it('the scheduled run: every statement that writes to a workspace asks the fences', async () => {
  receiving(answering(500))
  const catalog = await newCatalog()
  const { workspaceId } = catalog.workspace
  await callOperator(`/workspaces/${workspaceId}/webhooks`, { url: 'https://hooks.example/in' })
  for (let n = 0; n < 3; n++) await catalog.write([catalog.record('a', { strength: `${n}` })])
  const calls: Calls = []
  const bindings = { ...several, DB: recorded(env.DB, calls), DOCUMENT_DAYS: '1', HISTORY_DAYS: '1' }
  const headers = bearer(catalog.workspace.token)
  const call = calling(undefined, several)
  await call('/mr/api/v2/docs', { method: 'POST', headers, body: fileForm('bytes') })
  await call('/registration/v1/init', {
    method: 'POST',
    ...jsonBody({ mobile_number: '+919876543210' }, headers),
  })
  await call(`${CATALOG}/watch`, { method: 'PUT', ...jsonBody({ every_hours: 1 }, headers) })
  await catalog.post([catalog.record('b')], { dry_run: true, hold: true })
  await catalog.post([{}])
  await env.DB.exec("insert into workspace_quotas (workspace_id, bytes) values ('x', 0)")
  const later = Date.now() + 100 * 24 * 3600 * 1000
  await runScheduled(bindings, new Date(later))
  // The run itself keeps the newest thousand.
  await purgeWrites(catalogDatabase(bindings, 'DB', new Meter()), later, 1)
  const writing = calls.flatMap((texts) => {
    const isGuarded = GUARD.test(texts[0] ?? '')
    return texts.filter((text) => WRITES.test(text)).map((text) => ({ text, isGuarded }))
  })
  for (const { text, isGuarded } of writing) expect(isGuarded || text.includes('workspace_fences'), text).toBe(true)
  const tables = new Set(writing.map(({ text }) => WRITES.exec(text)?.[2]))
  expect([...tables].sort()).toEqual([
    'catalogs',
    'documents',
    'record_versions',
    'registrations',
    'uploads',
    'watches',
    'webhook_messages',
    'webhooks',
  ])
})
