import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import service from '#worker/index'
import { runScheduled } from '#worker/scheduled'
import { newWorkspace, workspaceOfEachTest } from '../../support/credentials'
import { execute, moveToTheEnd, rowsIn, several, single } from '../../support/databases'
import { DOCS, documentOf, uploadTo } from '../../support/documents'
import { calling, callService, dataFrom } from '../../support/service'
import { objects as objectKeys, withBucket } from '../../support/uploads'

const DAY_MS = 24 * 3600 * 1000

const workspace = workspaceOfEachTest()

const bearer = (token = workspace.token) => ({ Authorization: `Bearer ${token}` })

const uploaded = async (content?: string, headers = bearer()): Promise<string> =>
  (await documentOf(await uploadTo(headers, content))).document_id

const remove = (id: string, headers: Record<string, string> = bearer()) =>
  callService(`${DOCS}/${id}`, { method: 'DELETE', headers })

const statusOf = async (id: string, suffix = ''): Promise<number> =>
  (await callService(`${DOCS}/${id}${suffix}`, { headers: bearer() })).status

const objects = async (): Promise<number> => (await objectKeys()).length

/** Bindings whose bucket deletes nothing. */
const withoutDeletion = (bindings: typeof env): typeof env =>
  withBucket({ delete: () => Promise.reject(new Error('delete: we encountered an internal error')) }, bindings)

const later = (ms: number) => new Date(Date.now() + ms)

describe('DELETE /mr/api/v2/docs/{document_id}', () => {
  it('deletes the bytes and the metadata of one document', async () => {
    const [id, other] = [await uploaded('one'), await uploaded('two')]
    expect(await dataFrom(remove(id))).toEqual({ deleted: true })
    // A user who uploads and deletes in a loop leaves nothing behind.
    expect(await rowsIn('DB', 'document_removals')).toBe(0)
    for (const suffix of ['', '/content'])
      expect([await statusOf(id, suffix), await statusOf(other, suffix)]).toEqual([404, 200])
    expect(await objects()).toBe(1)
    expect((await remove(id)).status).toBe(404)
    // Nothing of another workspace.
    expect((await remove(other, bearer((await newWorkspace()).token))).status).toBe(404)
    expect(await statusOf(other, '/content')).toBe(200)
    expect(await rowsIn('DB', 'document_removals')).toBe(0)
  })

  it('succeeds once the row is deleted, and the scheduled run deletes bytes that could not be deleted', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const [id, kept] = [await uploaded(), await uploaded()]
    const call = calling(service, withoutDeletion(env))
    expect((await call(`${DOCS}/${id}`, { method: 'DELETE', headers: bearer() })).status).toBe(200)
    expect(log.mock.calls.join('\n')).toContain('bytes not deleted yet')
    expect([await statusOf(id), await objects()]).toEqual([404, 2])
    await expect(runScheduled(withoutDeletion(several), later(0))).rejects.toThrow('not everything was done')
    expect(await objects()).toBe(2)
    await runScheduled(several, later(0))
    expect([await objects(), await rowsIn('DB', 'document_removals')]).toEqual([1, 0])
    expect(await statusOf(kept, '/content')).toBe(200)
  })

  it('finds a document whose workspace has moved, and deletes it there', async () => {
    const id = await uploaded()
    await moveToTheEnd(workspace.workspaceId, 'DB_2')
    expect((await remove(id)).status).toBe(200)
    expect([await rowsIn('DB_2', 'documents'), await objects()]).toEqual([0, 0])
  })
})

describe('DOCUMENT_DAYS', () => {
  const run = (days: string, now: Date) => runScheduled({ ...several, DOCUMENT_DAYS: days }, now)

  it('keeps documents forever by default', async () => {
    const id = await uploaded()
    await runScheduled({ ...single }, later(20 * 365 * DAY_MS))
    await runScheduled({ ...single, DOCUMENT_DAYS: '0' }, later(20 * 365 * DAY_MS))
    expect(await statusOf(id, '/content')).toBe(200)
  })

  it('deletes documents of that age, and no newer ones', async () => {
    const uploadedAt = Date.parse('2026-11-20T18:00:00Z')
    const date = (database: D1Database, time: number) =>
      database.prepare('update documents set created_at = ?').bind(time).run()
    const moved = await newWorkspace()
    await uploaded('moved', bearer(moved.token))
    await moveToTheEnd(moved.workspaceId, 'DB_2')
    const old = await uploaded('old')
    for (const database of [env.DB, env.DB_2]) await date(database, uploadedAt - 1000)
    const young = await uploaded('young')
    await execute('update documents set created_at = ? where document_id = ?', uploadedAt, young)
    const after30Days = (ms: number) => new Date(uploadedAt + 30 * DAY_MS + ms)
    await run('30', after30Days(-1001))
    expect(await objects()).toBe(3)
    await run('30', after30Days(-1000))
    expect([await statusOf(old), await statusOf(young, '/content')]).toEqual([404, 200])
    expect([await rowsIn('DB_2', 'documents'), await objects()]).toEqual([0, 1])
  })

  it('ignores copies that a workspace has left behind or that have not arrived', async () => {
    await uploaded()
    await moveToTheEnd(workspace.workspaceId, 'DB_2')
    // Newer in the workspace's present database: only a mistake would delete its bytes.
    await env.DB_2.exec(`update documents set created_at = created_at + ${100 * DAY_MS}`)
    await run('1', later(DAY_MS + 60_000))
    expect(await objects()).toBe(1)
    expect(await rowsIn('DB', 'document_removals')).toBe(0)
  })
})

describe('bytes of a document without a row', () => {
  const put = (key: string) => env.DOCUMENTS.put(key, 'bytes')

  it('are deleted by the scheduled run when they are 30 days old', async () => {
    const id = await uploaded()
    const orphan = `${workspace.workspaceId}/${crypto.randomUUID()}`
    await put(orphan)
    await put(`gone/${crypto.randomUUID()}`)
    await moveToTheEnd(workspace.workspaceId, 'DB_2')
    await runScheduled(several, later(29 * DAY_MS))
    expect(await objects()).toBe(3)
    await runScheduled(several, later(31 * DAY_MS))
    expect(await objects()).toBe(1)
    expect(await env.DOCUMENTS.head(orphan)).toBeNull()
    expect(await statusOf(id, '/content')).toBe(200)
  })

  it('are found beyond the first page of objects by the next run', async () => {
    for (let n = 0; n < 7; n++) await put(`w${n}/d`)
    const list = (options?: R2ListOptions) => env.DOCUMENTS.list({ ...options, limit: 5 })
    const run = () => runScheduled(withBucket({ list }, several), later(31 * DAY_MS))
    await run()
    // One of the five is the bucket's ownership marker.
    expect(await objects()).toBe(3)
    await run()
    expect(await objects()).toBe(0)
  })
})
