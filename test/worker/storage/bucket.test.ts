import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { MARK_KEY } from '#worker/storage/bucket'
import { newCatalog } from '../../support/catalog'
import { callOperator, workspaceOfEachTest } from '../../support/credentials'
import { execute, several } from '../../support/databases'
import { DOCS, documentOf, uploadTo } from '../../support/documents'
import { calling, dataFrom } from '../../support/service'
import { held, objects, TestUploads, withBucket } from '../../support/uploads'

const DAY_MS = 24 * 3600 * 1000

const workspace = workspaceOfEachTest()

const bearer = () => ({ Authorization: `Bearer ${workspace.token}` })

/** Isolates cache the ownership marker by their bindings. */
const newIsolate = () => ({ ...several })

const later = (ms: number) => new Date(Date.now() + ms)

/** Orphans that are old enough to be deleted. */
async function leaveOrphans(): Promise<string[]> {
  const keys = [`_uploads/${crypto.randomUUID()}`, `${workspace.workspaceId}/${crypto.randomUUID()}`]
  for (const key of keys) await env.DOCUMENTS.put(key, 'bytes')
  return keys
}

const run = (bindings: typeof env = newIsolate()) => runScheduled(bindings, later(31 * DAY_MS))

/** The lines of the log, without those of requests. */
function logOf() {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
}

const healthOf = async (bindings: typeof env) =>
  dataFrom<{ ok: boolean; bucket: { problem: string }; databases: { database: string; problem: string | null }[] }>(
    callOperator('/health', undefined, 'GET', calling(undefined, bindings)),
  )

describe('the ownership marker of the bucket', () => {
  const mark = async () => (await env.DOCUMENTS.get(MARK_KEY))?.text()
  const id = () => env.DB.prepare('select deployment_id from deployment').first<string>('deployment_id')

  it('is written before the first object', async () => {
    await env.DOCUMENTS.delete(MARK_KEY)
    expect((await uploadTo(bearer(), 'text', calling(undefined, newIsolate()))).status).toBe(200)
    expect(await mark()).toBe(await id())
  })

  it.each([
    {
      name: 'the mark of another deployment',
      foreign: 'another',
      problem: 'has the ownership marker of another deployment',
    },
    { name: 'objects and no mark', foreign: undefined, problem: 'contains objects but no ownership marker' },
  ])('prevents the use of a bucket with $name by requests and the scheduled run', async ({ foreign, problem }) => {
    const { document_id } = await documentOf(await uploadTo(bearer()))
    const orphans = await leaveOrphans()
    const before = await mark()
    if (foreign === undefined) await env.DOCUMENTS.delete(MARK_KEY)
    else await env.DOCUMENTS.put(MARK_KEY, foreign)
    const lines = logOf()
    const call = calling(undefined, newIsolate())
    const content = call(`${DOCS}/${document_id}/content`, { headers: bearer() })
    for (const response of [await uploadTo(bearer(), 'text', call), await content]) {
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(await response.text()).not.toContain('mark')
    }
    expect(lines()).toContainEqual(expect.objectContaining({ reason: `configuration: the bucket ${problem}` }))
    await expect(run()).rejects.toThrow('not everything was done')
    expect(await objects()).toEqual(expect.arrayContaining(orphans))
    expect((await healthOf(newIsolate())).bucket.problem).toContain(problem)
    expect(await mark()).toBe(foreign)
    await env.DOCUMENTS.put(MARK_KEY, String(before))
  })

  it('prevents the use of a bucket that another deployment marks at the same moment', async () => {
    const before = await mark()
    await env.DOCUMENTS.delete(MARK_KEY)
    const put = async (...parameters: Parameters<R2Bucket['put']>) => {
      await env.DOCUMENTS.put(MARK_KEY, 'another')
      return env.DOCUMENTS.put(...parameters)
    }
    const call = calling(undefined, withBucket({ put }, newIsolate()))
    expect((await uploadTo(bearer(), 'text', call)).status).toBe(503)
    expect([await mark(), await objects()]).toEqual(['another', []])
    await env.DOCUMENTS.put(MARK_KEY, String(before))
  })

  it('is replaced by the next deployment if it was released, which then removes and logs orphans', async () => {
    const orphans = await leaveOrphans()
    await env.DOCUMENTS.put(MARK_KEY, 'free')
    const lines = logOf()
    await run()
    expect(await mark()).toBe(await id())
    expect(await objects()).toEqual([])
    const removal = { scheduled: 'removed_orphans', keys: expect.arrayContaining(orphans) }
    expect(lines()).toContainEqual(expect.objectContaining(removal))
  })
})

describe('an object that no database knows', () => {
  it.each([
    ['is not bound', 'DB_9', 'no D1 database is bound as DB_9'],
    ['is bound in the place of another one', 'DB_2', 'the database bound as DB_2 lacks 1 workspaces'],
  ])('stays if the database of a workspace %s', async (_, binding, reason) => {
    const orphans = await leaveOrphans()
    await execute('update workspaces set database_binding = ?', binding)
    const lines = logOf()
    await expect(run()).rejects.toThrow('not everything was done')
    expect(await objects()).toEqual(expect.arrayContaining(orphans))
    const fault = { scheduled: 'fault', task: 'removed_orphans', reason: `configuration: ${reason}` }
    expect(lines()).toContainEqual(expect.objectContaining(fault))
    if (binding === 'DB_2') return
    expect((await healthOf(newIsolate())).databases).toContainEqual(
      expect.objectContaining({ database: binding, ok: false, problem: 'it contains workspaces but is not bound' }),
    )
  })
})

describe('an unreachable store', () => {
  const down = () => Promise.reject(new Error('internal error'))

  it('returns 503 with Retry-After for documents and pending uploads', async () => {
    const catalog = await newCatalog()
    const { uploadId } = await held(catalog, [catalog.record('a')])
    const { document_id } = await documentOf(await uploadTo(bearer()))
    const call = calling(undefined, withBucket({ get: down, put: down, delete: down }))
    const answers = [
      await uploadTo(bearer(), 'text', call),
      await call(`${DOCS}/${document_id}/content`, { headers: bearer() }),
      await new TestUploads(catalog, undefined, call).content(uploadId),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    }
  })
})
