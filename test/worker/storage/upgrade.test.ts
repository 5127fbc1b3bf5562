import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { DEFAULT_QUOTA } from '#shared/limits'
import service from '#worker/index'
import before5 from '../../fixtures/databases/0005.json'
import rows5 from '../../fixtures/databases/0005.sql?raw'
import before6 from '../../fixtures/databases/0006.json'
import rows6 from '../../fixtures/databases/0006.sql?raw'
import { partnerTokenOf } from '../../support/partners'
import { calling, jsonBody } from '../../support/service'
import { eraseStorage } from '../../support/storage'

/** The key under which the databases' secrets are sealed. */
const MASTER_KEY = 'Zml4dHVyZS1tYXN0ZXIta2V5LW9mLXRoZS10ZXN0cyE'

/**
 * A small database of the release with this last migration, filled through the endpoints of that release, and answers
 * of these: the credentials, and a page of each catalog.
 */
const RELEASES = [
  { release: '0005', rows: rows5, before: before5 },
  { release: '0006', rows: rows6, before: before6 },
]

/** The parts of an answer that the tests read: a page, or `data`. */
interface Answer {
  total?: number
  items?: object[]
  data?: { items: object[] }
}

const fetch = calling(service, { ...env, MASTER_KEY })

const get = async (path: string, headers: HeadersInit) => {
  const response = await fetch(path, { headers })
  expect(response.status, path).toBe(200)
  return response.json<Answer>()
}

type Release = (typeof RELEASES)[number]
type Fixture = Release['before']

/** Upgrades a database of a release. @returns the headers of its client */
async function upgraded({ release, rows, before }: Release): Promise<{ Authorization: string }> {
  await eraseStorage()
  const isOfRelease = ({ name }: { name: string }) => name.slice(0, 4) <= release
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.filter(isOfRelease))
  const statements = rows.split('\n').filter((line) => line !== '')
  await env.DB.batch(statements.map((line) => env.DB.prepare(line)))
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

  const { api_key, ...client } = before.credentials
  const init = jsonBody({ ...client, grant_type: 'client_credentials' }, { 'X-API-KEY': api_key })
  const response = await fetch('/api/v1/auth/token', { method: 'POST', ...init })
  expect(response.status, 'its client and API key').toBe(200)
  return { Authorization: `Bearer ${(await response.json<{ access_token: string }>()).access_token}` }
}

async function expectRecords({ pages }: Fixture, headers: HeadersInit) {
  for (const [type, page] of Object.entries(pages)) {
    const now = await get(`/admin/datasets/v1/?type=${type}&show_inactive=1&limit=10`, headers)
    expect(now.total).toBe(page.total)
    // The accepted drug forms grow from release to release, and with them the links to them.
    const comparable = page.items.map((item: object) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'form_id')),
    )
    expect(now.items).toMatchObject(comparable)
    const hidden = page.items.filter(({ is_active }: { is_active: boolean }) => !is_active).length
    expect((await get(`/admin/datasets/v1/?type=${type}`, headers)).total).toBe(page.total - hidden)
  }
}

async function expectSearches({ partner }: Fixture, headers: HeadersInit) {
  const found = await get('/admin/datasets/v1/?type=symptom&q=kopfschmerz', headers)
  expect(found.items).toMatchObject([{ symptom_id: 'S1', refid: { id: [1, 2, 'x'] } }])
  expect((await get('/admin/datasets/v1/?type=symptom&q=fi', headers)).items).toMatchObject([
    { symptom_id: 'S3' },
  ])
  const token = await partnerTokenOf({ workspaceId: 'demo', ...partner })
  const search = await get('/medical-db/v1/search/?type=symptom&q=fievre', { 'X-Auth-Token': token })
  expect(search.data).toMatchObject({ source: 'workspace', items: [{ symptom_id: 'S3' }] })
}

async function expectTheRest({ batches, document }: Fixture, headers: HeadersInit) {
  const { data } = await get('/admin/datasets/v1/batches/?type=medication', headers)
  expect(data).toMatchObject(batches)
  const kept = await get(`/mr/api/v2/docs/${document.document_id}`, headers)
  expect(kept.data).toMatchObject(document)
  const operator = { Authorization: `Bearer ${env.PLATFORM_ADMIN_TOKEN}` }
  const members = await get('/platform/v1/workspaces/demo/members', operator)
  expect(members.data?.items).toHaveLength(2)
}

async function expectEpochs({ pages }: Fixture, headers: HeadersInit) {
  for (const type of Object.keys(pages)) {
    const { data: status } = await get(`/admin/catalogs/v1/${type}`, headers)
    const { revision, epoch } = status as unknown as { revision: number; epoch: string }
    if (revision === 0) continue
    const { data: made } = await get(`/admin/catalogs/v1/${type}/writes/${epoch}`, headers)
    expect(made).toMatchObject({ type, revision })
  }
}

it.each(RELEASES)(
  'a database of the release with migration $release, upgraded, has its records, writes, documents and members, is searched, and takes writes',
  async (release) => {
    const { before } = release
    const headers = await upgraded(release)
    await expectRecords(before, headers)
    await expectSearches(before, headers)
    await expectTheRest(before, headers)
    await expectEpochs(before, headers)

    const sent = jsonBody(
      [
        { symptom_id: 'S3', name: 'Fever' },
        { symptom_id: 'S4', name: 'New' },
      ],
      headers,
    )
    const response = await fetch('/admin/datasets/v1/?type=symptom', { method: 'POST', ...sent })
    expect(await response.json()).toMatchObject({ data: { inserted: 1, updated: 1, revision: 3 } })
  },
)

it('the quotas that an operator has set before, and the names of files, are kept and cut by the upgrade', async () => {
  await eraseStorage()
  const position = env.TEST_MIGRATIONS.findIndex(({ name }) => name === '0073_quotas.sql')
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, position))
  await env.DB.batch(
    [
      "insert into catalogs (workspace_id, type, quota_records) values ('set', 'symptom', 7), ('set', 'diagnosis', 7)",
      "insert into catalogs (workspace_id, type, quota_bytes) values ('counted', 'symptom', 8)",
      "insert into workspace_quotas (workspace_id, documents) values ('counted', 9)",
      "insert into catalogs (workspace_id, type) values ('other', 'symptom')",
      `insert into batches (batch_id, catalog_id, format, mode, file_name, size_bytes, created_by, created_at, warnings,
        written_at, revision_before, active_before, total) values ('b', 1, 'csv', 'upsert', '${'y'.repeat(300)}', 1, 'c', 1, 0, 1, 0, 0, 0)`,
      // The old copy of a workspace that has moved.
      "insert into workspace_fences (workspace_id, refuses, attempt) values ('set', 'everything', 1)",
    ].map((sql) => env.DB.prepare(sql)),
  )
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  const { results } = await env.DB.prepare(
    'select workspace_id, records, bytes, documents from workspace_quotas order by 1',
  ).all()
  expect(results).toEqual([
    { workspace_id: 'counted', records: DEFAULT_QUOTA.records, bytes: 8, documents: 9 },
    { workspace_id: 'set', records: 7, bytes: DEFAULT_QUOTA.bytes, documents: DEFAULT_QUOTA.documents },
  ])
  expect(await env.DB.prepare('select length(file_name) as n from batches').first('n')).toBe(255)
})
