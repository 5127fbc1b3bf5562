import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import service from '#index'
import before5 from '../fixtures/databases/0005.json'
import rows5 from '../fixtures/databases/0005.sql?raw'
import before6 from '../fixtures/databases/0006.json'
import rows6 from '../fixtures/databases/0006.sql?raw'
import { partnerTokenOf } from '../support/partners'
import { calling, jsonBody } from '../support/service'
import { eraseStorage } from '../support/storage'

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

describe.each(RELEASES)(
  'a database of the release with migration $release, upgraded',
  ({ release, rows, before }) => {
    let headers: { Authorization: string }

    beforeEach(async () => {
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
      headers = { Authorization: `Bearer ${(await response.json<{ access_token: string }>()).access_token}` }
    })

    it.each(Object.keys(before.pages) as (keyof typeof before.pages)[])(
      'has every %s unchanged',
      async (type) => {
        const page = before.pages[type]
        const now = await get(`/admin/datasets/v1/?type=${type}&show_inactive=1&limit=10`, headers)
        expect(now.total).toBe(page.total)
        // The accepted drug forms grow from release to release, and with them the links to them.
        const comparable = page.items.map((item: object) =>
          Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'form_id')),
        )
        expect(now.items).toMatchObject(comparable)
        const hidden = page.items.filter(({ is_active }: { is_active: boolean }) => !is_active).length
        expect((await get(`/admin/datasets/v1/?type=${type}`, headers)).total).toBe(page.total - hidden)
      },
    )

    it('is searched, by full text and by partners', async () => {
      const found = await get('/admin/datasets/v1/?type=symptom&q=kopfschmerz', headers)
      expect(found.items).toMatchObject([{ symptom_id: 'S1', refid: { id: [1, 2, 'x'] } }])
      expect((await get('/admin/datasets/v1/?type=symptom&q=fi', headers)).items).toMatchObject([
        { symptom_id: 'S3' },
      ])
      const token = await partnerTokenOf({ workspaceId: 'demo', ...before.partner })
      const search = await get('/medical-db/v1/search/?type=symptom&q=fievre', { 'X-Auth-Token': token })
      expect(search.data).toMatchObject({ source: 'workspace', items: [{ symptom_id: 'S3' }] })
    })

    it('has its batches, documents and members', async () => {
      const { data } = await get('/admin/datasets/v1/batches/?type=medication', headers)
      expect(data).toMatchObject(before.batches)
      const document = await get(`/mr/api/v2/docs/${before.document.document_id}`, headers)
      expect(document.data).toMatchObject(before.document)
      const operator = { Authorization: `Bearer ${env.PLATFORM_ADMIN_TOKEN}` }
      const members = await get('/platform/v1/workspaces/demo/members', operator)
      expect(members.data?.items).toHaveLength(2)
    })

    it('knows the write that made each catalog what it is', async () => {
      for (const type of Object.keys(before.pages)) {
        const { data: status } = await get(`/admin/catalogs/v1/${type}`, headers)
        const { revision, epoch } = status as unknown as { revision: number; epoch: string }
        if (revision === 0) continue
        const { data: made } = await get(`/admin/catalogs/v1/${type}/writes/${epoch}`, headers)
        expect(made).toMatchObject({ type, revision })
      }
    })

    it('takes writes', async () => {
      const path = '/admin/datasets/v1/?type=symptom'
      const sent = jsonBody(
        [
          { symptom_id: 'S3', name: 'Fever' },
          { symptom_id: 'S4', name: 'New' },
        ],
        headers,
      )
      const response = await fetch(path, { method: 'POST', ...sent })
      expect(await response.json()).toMatchObject({ data: { inserted: 1, updated: 1, revision: 3 } })
    })
  },
)
