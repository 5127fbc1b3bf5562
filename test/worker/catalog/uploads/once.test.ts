import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KEPT_REFUSALS, MAX_HELD_FILES } from '#shared/limits'
import { catalogOfEachTest } from '../../../support/catalog'
import { execute } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { addRefusals, asPerson, held, heldBy, TestUploads } from '../../../support/uploads'
import { type DatabaseCall, failing, lostAfter, lostBefore, serviceWith } from '../../storage/faulty-database'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const uploads = new TestUploads(catalog)

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

const holds = ({ statements }: DatabaseCall) => statements.some((text) => text.includes("outcome = 'expired'"))

it('a file whose first response was lost replaces one pending upload, and not two', async () => {
  const first = await held(catalog, [catalog.record('first')])
  for (let n = 2; n < MAX_HELD_FILES; n++) await held(catalog, [catalog.record(`x${n}`)])
  const lost = catalog.through(serviceWith(failing([lostAfter()], holds)))
  await held(lost, [catalog.record('tenth')])
  expect(await uploads.list({ outcome: 'held' })).toHaveLength(MAX_HELD_FILES)
  expect((await uploads.get(first.uploadId)).outcome).toBe('held')
})

describe('two requests that write one file', () => {
  const approvals = ({ writes, statements }: DatabaseCall) =>
    writes && statements.some((text) => text.includes('approval_id'))

  it("are distinguished, and a request with a lost response does not return the other one's result", async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    // The other request writes the file while the first one detects its lost connection.
    const overtaken = async () => {
      expect((await uploads.write(uploadId)).status).toBe(200)
      return lostBefore()()
    }
    const slow = new TestUploads(catalog, undefined, serviceWith(failing([overtaken], approvals)))
    await catalog.refused(409, slow.write(uploadId, { confirm_shrink: true }))
    expect((await history.writes()).total).toBe(1)
  })

  it('conflict with one that discards it, and only the first one is applied', async () => {
    /** Uploads with a database to which another request comes first. */
    const overtakenBy = (applies: (call: DatabaseCall) => boolean, first: () => Promise<{ status: number }>) => {
      const overtaken = async ({ run }: DatabaseCall) => {
        expect((await first()).status).toBe(200)
        return run()
      }
      return new TestUploads(catalog, undefined, serviceWith(failing([overtaken], applies)))
    }
    const { uploadId: written } = await held(catalog, [catalog.record('a')])
    const afterWrite = overtakenBy(
      ({ writes }) => writes,
      () => uploads.write(written),
    )
    await catalog.refused(410, afterWrite.discard(written))
    const { uploadId: discarded } = await held(catalog, [catalog.record('b')])
    const afterDiscard = overtakenBy(approvals, () => uploads.discard(discarded))
    await catalog.refused(409, afterDiscard.write(discarded))
    expect(await uploads.outcomes()).toEqual(['discarded', 'approved'])
    expect(await catalog.ids()).toEqual(['a'])
  })

  it("count as one if the database's response was lost after the write", async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    const lost = new TestUploads(catalog, undefined, serviceWith(failing([lostAfter()], approvals)))
    expect((await lost.write(uploadId)).status).toBe(200)
    expect((await history.writes()).total).toBe(1)
  })
})

it('the same bytes with another charset or other guards are another file', async () => {
  await catalog.write(catalog.records(4))
  const file = new Uint8Array([...new TextEncoder().encode('id,name\na,Caf'), 0xe9, 0x0a])
  const night = async (charset: string, query = {}) => {
    const headers = { 'Content-Type': `text/csv; charset=${charset}` }
    const answer = catalog.postCsv(file, { mode: 'reconcile', ...query }, headers)
    return heldBy((await catalog.refused(409, answer)).errors[0] as object).uploadId
  }
  const latin = await night('windows-1252')
  const cyrillic = await night('windows-1251')
  expect(new Set([latin, cyrillic, await night('windows-1251', { max_emptied: 3 })]).size).toBe(3)
  expect(await night('windows-1251')).toBe(cyrillic)
  const content = await uploads.content(latin)
  expect(content.headers.get('Content-Type')).toContain('text/csv')
  expect(content.headers.get('Content-Disposition')).toMatch(/^attachment; filename="/)
  expect(new Uint8Array(await content.arrayBuffer())).toEqual(file)
  await uploads.written(latin, { confirm_shrink: true })
  expect((await catalog.get('a')).name).toBe('Café')
})

it("a file from before a client's last write causes a warning in the dry run, but not before a user's", async () => {
  const { uploadId } = await held(catalog, [catalog.record('a')])
  const warned = async (query = { dry_run: true }) =>
    (await uploads.written(uploadId, query)).warnings.filter(({ code }) => code === 'newer_write')
  await (await asPerson(catalog)).write([catalog.record('b')])
  expect(await warned()).toEqual([])
  await catalog.write([catalog.record('b')])
  expect(await warned()).toEqual([expect.objectContaining({ field: 'file', code: 'newer_write' })])
  expect(await warned({ dry_run: false })).toEqual([])
})

it("a client's last success stays after a rejection or a pending upload, or if old uploads are trimmed", async () => {
  await catalog.write(catalog.records(4))
  const { errors } = await catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
  const { uploadId } = heldBy(errors[0] as object)
  await new TestUploads(await asPerson(catalog)).written(uploadId, { confirm_shrink: true })
  const { last_success_at } = (await history.status()).sync
  await held(catalog, [catalog.record('b')])
  await addRefusals(KEPT_REFUSALS, 'new', 'user:c')
  await catalog.refused(400, catalog.post([{}]))
  expect((await history.status()).sync).toMatchObject({ last_success_at, last_upload: { outcome: 'invalid' } })
  await execute('delete from uploads where written_at is not null')
  expect((await history.status()).sync.last_success_at).toBe(last_success_at)
})

it('the times of rows increase whatever the clocks show, so that no message skips a file', async () => {
  await catalog.write(catalog.records(4))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600_000 })
  await (await asPerson(catalog)).post([{}])
  vi.useRealTimers()
  await catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
  const rows = await env.DB.prepare('select received_at from uploads order by rowid').raw<[number]>()
  const times = rows.map(([time]) => time)
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  expect(await uploads.outcomes()).toEqual(['held', 'invalid', 'written'])
})
