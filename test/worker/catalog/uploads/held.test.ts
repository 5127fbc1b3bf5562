import { env } from 'cloudflare:workers'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HELD_DRY_RUN_SECONDS, HELD_REFUSAL_SECONDS, MAX_HELD_FILES } from '#shared/limits'
import { settleBackground } from '../../../support/background'
import { catalogOfEachTest, dataOf, newCatalog, type Query, TestCatalog } from '../../../support/catalog'
import { quotaOf } from '../../../support/credentials'
import { execute } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { calling } from '../../../support/service'
import { asPerson, held, heldBy, keyOf, objects, personOf, TestUploads, withBucket } from '../../../support/uploads'
import { failing, lostAfter, serviceWith } from '../../storage/faulty-database'

const catalog = catalogOfEachTest()
const uploads = new TestUploads(catalog)

/** The error of a client's reconcile that the shrink guard blocks. */
async function stopped(records: unknown, query: Query = {}) {
  const { message, errors } = await catalog.refused(409, catalog.post(records, { mode: 'reconcile', ...query }))
  return { message, error: errors[0] as { code: string; upload_id?: string; held_until?: string } }
}

const storeDown = () => Promise.reject(new Error('internal error'))
const withoutStore = calling(undefined, withBucket({ put: storeDown, get: storeDown }))

const nearly = (time: number, seconds: number) =>
  expect(Math.abs(time - Date.now() - 1000 * seconds)).toBeLessThan(60_000)

it("include=held in a status lists the clients' pending uploads, newest first", async () => {
  await catalog.write(catalog.records(3))
  const ids: string[] = []
  for (const id of ['d', 'e']) ids.unshift(heldBy((await stopped([catalog.record(id)])).error).uploadId)
  await catalog.refused(400, catalog.post([{}]))
  await held(await asPerson(catalog), [catalog.record('f')])
  const history = new TestHistory(catalog)
  const { body } = await history.send('GET', '', { include: 'held' })
  expect(body).toMatchObject({ data: { held: await Promise.all(ids.map((id) => uploads.get(id))) } })
  expect(await history.status()).not.toHaveProperty('held')
})

describe('hold=true on a dry run', () => {
  it('makes its file a pending upload for 24 hours, and writes nothing', async () => {
    const { uploadId, heldUntil } = await held(catalog, [catalog.record('a')])
    nearly(heldUntil, HELD_DRY_RUN_SECONDS)
    const held_until = new Date(heldUntil).toISOString()
    const message = '1 record would be written: 1 inserted'
    const row = { outcome: 'held', held_for: 'dry_run', held_until, message, batch_id: null, revision: 0 }
    expect(await uploads.get(uploadId)).toMatchObject(row)
    expect(await objects()).toEqual([keyOf(uploadId)])
    expect((await catalog.list()).total).toBe(0)
  })

  it('stores nothing if the dry run is rejected', async () => {
    const query = { dry_run: true, hold: true }
    await catalog.refused(400, catalog.post([{}], query))
    await catalog.refused(409, catalog.post([], { ...query, expected_revision: 4 }))
    const { errors } = await catalog.refused(400, catalog.post([], { hold: true }))
    expect(errors).toMatchObject([{ field: 'hold', code: 'conditional' }])
    await catalog.refused(400, catalog.post([], { ...query, include: 'diff', format: 'csv' }))
    await settleBackground()
    expect([await objects(), await uploads.list()]).toEqual([[], []])
  })

  it('returns 503 if the store cannot be reached, and 409 if the quota has no room', async () => {
    const query = { dry_run: true, hold: true }
    await catalog.refused(503, catalog.through(withoutStore).post([catalog.record('a')], query))
    await catalog.write([catalog.record('a')])
    await execute('update workspace_quotas set bytes = (select stored_bytes + 10 from catalogs)')
    const { errors } = await catalog.refused(409, catalog.post([catalog.record('b')], query))
    expect(errors).toMatchObject([{ code: 'quota', quota: 'bytes' }])
    await settleBackground()
    expect([await objects(), await uploads.outcomes()]).toEqual([[], ['written']])
  })
})

describe('a reconcile with client credentials that the shrink guard blocks', () => {
  beforeEach(() => catalog.write(catalog.records(10)))

  it('becomes a pending upload for seven days, and the error says so', async () => {
    const { error, message } = await stopped([catalog.record('r0')])
    const { uploadId: upload_id, heldUntil } = heldBy(error)
    nearly(heldUntil, HELD_REFUSAL_SECONDS)
    expect(error).toMatchObject({ code: 'shrink_guard', active_before: 10, would_deactivate: 9 })
    expect(message).toContain(upload_id)
    const waiting = { upload_id, outcome: 'held', held_for: 'shrink_guard', errors: [{ code: 'shrink_guard' }] }
    expect(await uploads.list()).toMatchObject([waiting, { outcome: 'written' }])
  })

  it('does not become pending with hold=false, from a user, or if something else blocks it', async () => {
    expect((await stopped([catalog.record('r0')], { hold: false })).error).not.toHaveProperty('upload_id')
    const person = await asPerson(catalog)
    const { errors } = await person.refused(409, person.post([person.record('r0')], { mode: 'reconcile' }))
    expect(errors[0]).not.toHaveProperty('upload_id')
    await catalog.refused(409, catalog.post([], { mode: 'reconcile', expected_revision: 9 }))
    await catalog.refused(400, catalog.post([{}], { mode: 'reconcile' }))
    await settleBackground()
    expect(await objects()).toEqual([])
    expect(await uploads.outcomes()).toEqual(['invalid', 'stale', 'shrink_guard', 'shrink_guard', 'written'])
  })

  it('returns the error without upload_id if the store or the quota has no room', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const down = catalog.through(withoutStore)
    const { errors } = await down.refused(409, down.post([catalog.record('r0')], { mode: 'reconcile' }))
    expect(errors).toEqual([{ code: 'shrink_guard', active_before: 10, would_deactivate: 9 }])
    expect(log.mock.calls.join('\n')).toContain('the rejected file was not kept')
    await execute('update workspace_quotas set bytes = (select stored_bytes + 10 from catalogs)')
    expect((await stopped([catalog.record('r1')])).error).not.toHaveProperty('upload_id')
    await settleBackground()
    expect(await objects()).toEqual([])
    expect(await uploads.list()).toMatchObject([{ outcome: 'shrink_guard', repeated: 1 }, { outcome: 'written' }])
  })

  it('becomes pending once if the same file is sent again', async () => {
    const first = heldBy((await stopped([catalog.record('r0')])).error)
    expect(heldBy((await stopped([catalog.record('r0')])).error).uploadId).toBe(first.uploadId)
    const other = heldBy((await stopped([catalog.record('r1')])).error)
    const again = heldBy((await stopped([catalog.record('r0')])).error)
    expect(again.uploadId).toBe(first.uploadId)
    expect(again.heldUntil).toBeGreaterThanOrEqual(first.heldUntil)
    await settleBackground()
    expect((await objects()).sort()).toEqual([keyOf(first.uploadId), keyOf(other.uploadId)].sort())
    expect(await uploads.list({ outcome: 'held' })).toMatchObject([
      { upload_id: first.uploadId, repeated: 2 },
      { upload_id: other.uploadId, repeated: 0 },
    ])
  })
})

describe('POST …/uploads/{upload_id}/write', () => {
  it('writes the pending file without a new upload, and deletes it', async () => {
    await catalog.write(catalog.records(3))
    const csv = 'medication_id,name\nr0,Aspirin\nr1,Name of r1\nr9,Metformin\n'
    const body = new FormData()
    body.set('file', new File([csv], 'night.csv'))
    const dry = await catalog.send('POST', '/', { mode: 'reconcile', dry_run: true, hold: true }, { body })
    const { uploadId } = heldBy(dataOf(dry))
    expect(await (await uploads.content(uploadId)).text()).toBe(csv)
    expect(await uploads.written(uploadId)).toMatchObject({
      ...{ mode: 'reconcile', dry_run: false, revision: 2, batch_id: uploadId },
      ...{ total: 3, inserted: 1, updated: 2, unchanged: 1, deactivated: 1 },
    })
    expect((await catalog.ids()).sort()).toEqual(['r0', 'r1', 'r9'])
    const approved = { upload_id: uploadId, batch_id: uploadId, revision: 2, held_until: null, file_name: 'night.csv' }
    expect(await uploads.list()).toMatchObject([{ outcome: 'approved', ...approved }, { outcome: 'written' }])
    expect((await catalog.batches()).latest).toMatchObject({ batch_id: uploadId, file_name: 'night.csv' })
    await settleBackground()
    expect(await objects()).toEqual([])
  })

  it('writes a large file of any form unchanged', async () => {
    const json = JSON.stringify(catalog.records(1000, (n) => ({ generic_name: `Generic name of number ${n}` })))
    const headers = { 'Content-Type': 'application/json' }
    for (const init of [
      { headers, body: new Blob([json]).stream() },
      { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: new Blob([gzipSync(json)]).stream() },
    ]) {
      const { uploadId } = heldBy(dataOf(await catalog.send('POST', '/', { dry_run: true, hold: true }, init)))
      expect(await (await uploads.content(uploadId)).text()).toBe(json)
      expect((await uploads.written(uploadId)).total).toBe(1000)
    }
  })

  it('lets a user approve a nightly file that the guard has blocked', async () => {
    await catalog.write(catalog.records(10))
    const { uploadId } = heldBy((await stopped([catalog.record('r0')])).error)
    const person = new TestUploads(catalog, await personOf(catalog))
    const { errors } = await catalog.refused(409, person.write(uploadId))
    expect(errors).toEqual([{ code: 'shrink_guard', active_before: 10, would_deactivate: 9 }])
    expect(dataOf(await person.write(uploadId, { dry_run: true }))).toMatchObject({ deactivated: 9 })
    await catalog.refused(409, person.write(uploadId, { confirm_shrink: true, expected_revision: 0 }))
    await catalog.refused(503, new TestUploads(catalog, undefined, withoutStore).write(uploadId))
    expect((await uploads.get(uploadId)).outcome).toBe('held')
    expect(await person.written(uploadId, { confirm_shrink: true })).toMatchObject({ deactivated: 9 })
    expect(await uploads.get(uploadId)).toMatchObject({ outcome: 'approved', by_program: true })
    expect(await catalog.ids()).toEqual(['r0'])
  })

  it('uses the guard of its upload, unless the request has its own', async () => {
    await catalog.write(catalog.records(10))
    const strict = await held(catalog, catalog.records(8), { mode: 'reconcile', max_shrink: 10 })
    await catalog.refused(409, uploads.write(strict.uploadId))
    const confirmed = await held(catalog, [catalog.record('r0')], { mode: 'reconcile', confirm_shrink: true })
    await catalog.refused(409, uploads.write(confirmed.uploadId, { confirm_shrink: false }))
    expect(await uploads.written(strict.uploadId, { max_shrink: 20 })).toMatchObject({ deactivated: 2 })
    expect(await uploads.written(confirmed.uploadId)).toMatchObject({ deactivated: 7 })
  })

  it('keeps the fields without a column if the upload did so, unless the request says otherwise', async () => {
    const fields = { strength: '5 mg' }
    await catalog.write(catalog.records(10, () => fields))
    const sent = [{ medication_id: 'r0', name: 'Name of r0' }]
    const replacing = heldBy((await stopped(sent)).error)
    const keep = async () => heldBy((await stopped(sent, { keep_missing: true })).error)
    const keeping = await keep()
    // The same bytes with other parameters are another file.
    expect(keeping.uploadId).not.toBe(replacing.uploadId)
    expect((await keep()).uploadId).toBe(keeping.uploadId)
    expect((await uploads.list()).map(({ keep_missing }) => keep_missing)).toEqual([true, false, null])

    const preview = { dry_run: true, include: 'diff' }
    const emptied = [{ id: 'r0', name: 'Name of r0', fields: { strength: ['5 mg', null] } }]
    expect((await uploads.written(keeping.uploadId, preview)).diff?.updated).toEqual([])
    const replaced = await uploads.written(keeping.uploadId, { ...preview, keep_missing: false })
    expect(replaced.diff?.updated).toEqual(emptied)
    const { text } = await uploads.write(replacing.uploadId, { ...preview, format: 'csv' })
    expect(text).toContain('updated,r0')
    await uploads.written(keeping.uploadId, { confirm_shrink: true })
    expect(await catalog.get('r0')).toMatchObject(fields)
    await uploads.written(replacing.uploadId, { confirm_shrink: true })
    expect(await catalog.get('r0')).toMatchObject({ strength: null })
  })

  it('writes once, and the other one of two simultaneous requests returns 409', async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    const answers = await Promise.all([1, 2, 3].map(() => uploads.write(uploadId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await env.DB.prepare('select count(*) as n from uploads where written_at is not null').first('n')).toBe(1)
    await catalog.refused(410, uploads.write(uploadId))
    expect(await uploads.outcomes()).toEqual(['approved'])
  })

  it("returns 410 for an upload that is not pending, and 404 for an unknown or another workspace's one", async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    const written = String((await catalog.upload('medication_id,name\nb,B\n')).batch_id)
    await catalog.post([{}])
    const [{ upload_id: invalid } = { upload_id: '' }] = await uploads.list({ outcome: 'invalid' })
    const strangers = [await newCatalog(), new TestCatalog(catalog.workspace, 'symptom')]
    for (const [method, path] of [
      ['POST', '/write'],
      ['GET', '/content'],
      ['DELETE', ''],
    ] as const) {
      for (const id of [written, invalid]) await catalog.refused(410, uploads.send(method, `/${id}${path}`))
      for (const other of strangers)
        await catalog.refused(404, new TestUploads(other).send(method, `/${uploadId}${path}`))
      await catalog.refused(404, uploads.send(method, `/${crypto.randomUUID()}${path}`))
    }
    expect((await uploads.get(uploadId)).outcome).toBe('held')
  })
})

it('DELETE …/uploads/{upload_id} permanently discards the file', async () => {
  const { uploadId } = await held(catalog, [catalog.record('a')])
  expect(dataOf(await uploads.discard(uploadId))).toEqual({ deleted: true })
  expect(await objects()).toEqual([])
  expect(await uploads.list()).toMatchObject([{ upload_id: uploadId, outcome: 'discarded', held_until: null }])
  for (const answer of [uploads.discard(uploadId), uploads.write(uploadId)]) await catalog.refused(410, answer)
})

it('a discard whose database response is lost is applied once, and succeeds', async () => {
  const { uploadId } = await held(catalog, [catalog.record('a')])
  const fault = failing([lostAfter()], ({ statements }) => statements.some((text) => text.includes("'discarded'")))
  const answer = await new TestUploads(catalog, undefined, serviceWith(fault)).discard(uploadId)
  expect(dataOf(answer)).toEqual({ deleted: true })
  expect(fault.calls).toBe(2)
  expect(await objects()).toEqual([])
})

describe('the room for pending uploads', () => {
  it('is ten, after which the oldest one of a dry run is replaced, or else the oldest', async () => {
    await catalog.write(catalog.records(10))
    const refused = heldBy((await stopped([catalog.record('r0')])).error)
    const tried = await held(catalog, [catalog.record('x1')])
    for (let n = 2; n < MAX_HELD_FILES; n++) await held(catalog, [catalog.record(`x${n}`)])
    const eleventh = heldBy((await stopped([catalog.record('r1')])).error)
    await catalog.refused(410, uploads.write(tried.uploadId))
    expect((await uploads.get(refused.uploadId)).outcome).toBe('held')
    await execute("update uploads set held_for = 'shrink_guard' where held_for is not null")
    await held(catalog, [catalog.record('last')])
    expect((await uploads.get(refused.uploadId)).outcome).toBe('expired')
    await settleBackground()
    expect(await objects()).toHaveLength(MAX_HELD_FILES)
    expect(await objects()).toContain(keyOf(eleventh.uploadId))
  })

  it('counts toward the quota of bytes, until they are written or discarded', async () => {
    const quota = async () => (await quotaOf(catalog.workspace)).bytes_used!
    await catalog.write([catalog.record('a')])
    const before = await quota()
    const body = JSON.stringify([catalog.record('b')])
    const { uploadId } = await held(catalog, [catalog.record('b')])
    expect(await quota()).toBe(before + body.length)
    await execute('update workspace_quotas set bytes = ?', before + body.length)
    const { errors } = await catalog.refused(409, catalog.post([catalog.record('c')]))
    expect(errors).toMatchObject([{ code: 'quota', quota: 'bytes', used: before + body.length }])
    // The file itself makes room for its records.
    expect(await uploads.written(uploadId)).toMatchObject({ inserted: 1 })
  })
})
