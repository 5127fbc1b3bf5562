import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { HELD_DRY_RUN_SECONDS, HELD_REFUSAL_SECONDS } from '#shared/limits'
import { runScheduled } from '#worker/scheduled'
import { settleBackground } from '../../../support/background'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'
import { tokenWith } from '../../../support/credentials'
import { brokenDatabase, execute, moveToTheEnd, several } from '../../../support/databases'
import { calling } from '../../../support/service'
import { held, heldBy, keyOf, objects, removeAllOrphans, TestUploads, withBucket } from '../../../support/uploads'

const DAY_MS = 24 * 3600 * 1000
const HOUR_MS = 3600 * 1000

const catalog = catalogOfEachTest()
const uploads = new TestUploads(catalog)

const later = (ms: number) => new Date(Date.now() + ms)

const bucketDown = () => Promise.reject(new Error('we encountered an internal error'))

describe('a pending upload at the end of its time', () => {
  it('expires in the scheduled run, and its bytes are deleted', async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    await runScheduled(several, later(1000 * HELD_DRY_RUN_SECONDS - 60_000))
    expect(await objects()).toEqual([keyOf(uploadId)])
    await runScheduled(several, later(1000 * HELD_DRY_RUN_SECONDS + 1000))
    expect(await objects()).toEqual([])
    expect(await uploads.list()).toMatchObject([{ upload_id: uploadId, outcome: 'expired', held_until: null }])
    await catalog.refused(410, uploads.write(uploadId))
  })

  it('counts as expired before any run has seen it', async () => {
    await catalog.write(catalog.records(4))
    const query = { mode: 'reconcile' }
    const { errors } = await catalog.refused(409, catalog.post([catalog.record('r0')], query))
    const { uploadId } = heldBy(errors[0] as object)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 * HELD_REFUSAL_SECONDS + 1000 })
    const then = new TestUploads(catalog, await tokenWith(['catalog:read', 'catalog:write'], catalog.workspace))
    expect(await then.outcomes()).toEqual(['expired', 'written'])
    expect(await then.outcomes({ outcome: 'expired' })).toEqual(['expired'])
    expect(await then.outcomes({ outcome: 'held' })).toEqual([])
    for (const answer of [then.write(uploadId, { confirm_shrink: true }), then.discard(uploadId)])
      await catalog.refused(410, answer)
  })

  it("does not expire in the workspace's old database, but in its present one", async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
    // The old copy stays.
    await execute('update workspaces set moved_at = ?', Date.now() + 100 * DAY_MS)
    await env.DB_2.prepare('update uploads set held_until = held_until + ?').bind(DAY_MS).run()
    await runScheduled(several, later(1000 * HELD_DRY_RUN_SECONDS + 1000))
    expect(await objects()).toEqual([keyOf(uploadId)])
    await runScheduled(several, later(1000 * HELD_DRY_RUN_SECONDS + DAY_MS + 1000))
    expect(await objects()).toEqual([])
  })
})

describe('bytes without a pending upload', () => {
  it('are deleted by the scheduled run after an hour', async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    const moved = await newCatalog()
    const there = await held(moved, [moved.record('b')])
    await moveToTheEnd(moved.workspace.workspaceId, 'DB_2')
    for (let n = 0; n < 3; n++) await env.DOCUMENTS.put(keyOf(crypto.randomUUID()), 'lost')
    await env.DOCUMENTS.put('workspace/document', 'a document')
    expect(await removeAllOrphans(later(HOUR_MS - 60_000))).toBe(0)
    // They stay as long as a database cannot be queried.
    const blind = removeAllOrphans(later(2 * HOUR_MS), { ...several, DB_2: brokenDatabase() })
    await expect(blind).rejects.toThrow('broken')
    expect(await objects()).toHaveLength(6)
    await runScheduled(several, later(HOUR_MS + 60_000))
    expect((await objects()).sort()).toEqual([keyOf(uploadId), keyOf(there.uploadId), 'workspace/document'].sort())
  })

  it('are deleted later if a write or a discard could not delete them', async () => {
    const [written, discarded] = [
      await held(catalog, [catalog.record('a')]),
      await held(catalog, [catalog.record('b')]),
    ]
    const down = new TestUploads(catalog, undefined, calling(undefined, withBucket({ delete: bucketDown })))
    expect((await down.write(written.uploadId)).status).toBe(200)
    expect((await down.discard(discarded.uploadId)).status).toBe(200)
    await settleBackground()
    expect((await objects()).sort()).toEqual([written, discarded].map(({ uploadId }) => keyOf(uploadId)).sort())
    expect(await removeAllOrphans(later(2 * HOUR_MS))).toBe(2)
    expect(await objects()).toEqual([])
  })
})
