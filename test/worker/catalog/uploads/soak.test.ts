import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { HELD_DRY_RUN_SECONDS } from '#shared/limits'
import { runScheduled } from '#worker/scheduled'
import { settleBackground } from '../../../support/background'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { moveToTheEnd, several } from '../../../support/databases'
import { calling } from '../../../support/service'
import { held, keyOf, objects, removeAllOrphans, TestUploads, withBucket } from '../../../support/uploads'

const HOUR_MS = 3600 * 1000

let catalog: TestCatalog
let uploads: TestUploads

beforeEach(async () => {
  catalog = await newCatalog()
  uploads = new TestUploads(catalog)
})

const fails = () => Promise.reject(new Error('we encountered an internal error'))

/** Numbers that are the same in every run (Park and Miller). */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

it('files that wait are written once or not at all and leave no orphan, whatever people, crashes and runs do at the same time', async () => {
  const next = sequence(17)
  const waiting: string[] = []
  const written = new Set<string>()
  const ended = new Set<string>()
  /** Its store deletes nothing: an isolate that dies after the database has answered. */
  const dying = new TestUploads(catalog, undefined, calling(undefined, withBucket({ delete: fails })))
  const pick = () => waiting.splice(next(waiting.length), 1)[0] ?? ''
  for (let step = 0; step < 60; step++) {
    const kind = waiting.length === 0 ? 0 : next(7)
    if (kind <= 1) waiting.push((await held(catalog, [catalog.record(`r${step}`)])).uploadId)
    else if (kind === 2 || kind === 3) {
      const id = pick()
      const people = [uploads, dying, uploads].slice(next(2))
      const answers = await Promise.all(people.map((person) => person.write(id)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.every(({ status }) => [200, 409, 410].includes(status))).toBe(true)
      written.add(id)
    } else if (kind === 4) {
      // A discard and an approval at the same time: one of them.
      const id = pick()
      const [discarded, approved] = await Promise.all([dying.discard(id), uploads.write(id)])
      expect([discarded.status === 200, approved.status === 200].filter(Boolean)).toHaveLength(1)
      ;(approved.status === 200 ? written : ended).add(id)
    } else if (kind === 5) {
      const dies = withBucket({
        put: async (key: string, body: ArrayBuffer) => {
          await env.DOCUMENTS.put(key, body)
          return fails()
        },
        delete: fails,
      } as never)
      const crashed = catalog.through(calling(undefined, dies))
      await crashed.refused(503, crashed.post([catalog.record(`lost${step}`)], { dry_run: true, hold: true }))
    } else await runScheduled(several, new Date())
    if (waiting.length > 9) {
      const id = pick()
      await uploads.discard(id)
      ended.add(id)
    }
    if (step === 30) await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
  }
  await settleBackground()
  // The old copy is purged a day after the move. Until then it knows nothing of what became of its files.
  await env.DB.prepare('delete from uploads').run()
  await removeAllOrphans(new Date(Date.now() + 2 * HOUR_MS))
  expect((await objects()).sort()).toEqual(waiting.map(keyOf).sort())
  for (const id of waiting) expect((await uploads.get(id)).outcome).toBe('held')
  for (const id of ended) expect((await uploads.get(id)).outcome).toBe('discarded')
  const list = await uploads.list({ outcome: 'approved', limit: 1000 })
  expect(new Set(list.map(({ batch_id }) => batch_id))).toEqual(written)
  expect((await catalog.list()).total).toBe(written.size)
  const batches = await env.DB_2.prepare('select upload_id as batch_id from uploads where written_at is not null').all<{
    batch_id: string
  }>()
  expect(batches.results.map(({ batch_id }) => batch_id).sort()).toEqual([...written].sort())
  await runScheduled(several, new Date(Date.now() + 1000 * HELD_DRY_RUN_SECONDS + HOUR_MS))
  expect(await objects()).toEqual([])
})
