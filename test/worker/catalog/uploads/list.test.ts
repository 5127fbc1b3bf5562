import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { KEPT_REFUSALS, MAX_BODY_BYTES } from '#shared/limits'
import { runScheduled } from '#worker/scheduled'
import { catalogOfEachTest, newCatalog, type Query, TestCatalog } from '../../../support/catalog'
import { execute, rowsIn, several } from '../../../support/databases'
import { TestHistory } from '../../../support/history'
import { addRefusals, asPerson, held, TestUploads } from '../../../support/uploads'
import { failing, serviceWith } from '../../storage/faulty-database'

const DAY_MS = 24 * 3600 * 1000

const catalog = catalogOfEachTest()
const uploads = new TestUploads(catalog)

const refuse = (status: number, records: unknown, query: Query = {}) =>
  catalog.refused(status, catalog.post(records, query))

describe('the list of uploads', () => {
  it('shows writes under their batch ID, and reports those that changed nothing', async () => {
    const { batch_id } = await catalog.upload('medication_id,name\na,Aspirin\n', { mode: 'reconcile' })
    const disposition = { 'Content-Disposition': 'attachment; filename="a.json"' }
    await catalog.post([catalog.record('a', { name: 'Aspirin' })], {}, disposition)
    const [same, written] = await uploads.list()
    expect(written).toMatchObject({
      ...{ upload_id: batch_id, batch_id, outcome: 'written', mode: 'reconcile', format: 'csv', revision: 1 },
      ...{ by_program: true, created_by: catalog.workspace.clientId, request_id: expect.any(String) },
      ...{ message: '1 record written: 1 inserted', error_count: 0, errors: [], repeated: 0 },
      ...{ held_until: null, held_for: null, keep_missing: null },
    })
    // A body that is JSON itself is not a file.
    expect(same).toMatchObject({ outcome: 'unchanged', format: 'json', file_name: null, revision: 1 })
    expect(await uploads.get(written!.upload_id)).toEqual(written)
  })

  it('omits files that users previewed without writing them, on request', async () => {
    const person = await asPerson(catalog)
    const ofPerson = new TestUploads(person)
    const [approved, discarded, waiting, ofProgram] = [
      await held(person, [catalog.record('a')]),
      await held(person, [catalog.record('b')]),
      await held(person, [catalog.record('c')]),
      await held(catalog, [catalog.record('d')]),
    ].map(({ uploadId }) => ({ upload_id: uploadId }))
    await ofPerson.written(approved!.upload_id)
    await ofPerson.discard(discarded!.upload_id)
    const page = await uploads.page({ previews: false, limit: 1 })
    expect(page).toMatchObject({ items: [ofProgram], total: 2, has_more: true })
    expect(await uploads.list({ previews: false })).toMatchObject([ofProgram, approved])
    expect(await uploads.list({ previews: false, outcome: 'held' })).toMatchObject([ofProgram])
    expect(await uploads.list()).toMatchObject([ofProgram, waiting, discarded, approved])
  })

  it('contains neither dry runs nor restores', async () => {
    await catalog.write([catalog.record('a')])
    await catalog.write([catalog.record('b')], { dry_run: true })
    await refuse(400, [{}], { dry_run: true })
    await new TestHistory(catalog).restore(0, { confirm_shrink: true })
    expect(await uploads.outcomes()).toEqual(['written'])
  })

  it('contains rejected uploads of its own workspace and type, newest first', async () => {
    await catalog.write(catalog.records(4))
    await refuse(400, [{ medication_id: 'a' }])
    await refuse(409, [catalog.record('r0')], { mode: 'reconcile', hold: false, max_shrink: 10 })
    await refuse(409, [catalog.record('r0')], { expected_revision: 3 })
    await execute('update workspace_quotas set records = 1')
    await refuse(409, [catalog.record('b')])
    for (const other of [await newCatalog(), new TestCatalog(catalog.workspace, 'symptom')]) {
      expect(await new TestUploads(other).list()).toEqual([])
      await other.refused(404, new TestUploads(other).send('GET', `/${(await uploads.list())[0]!.upload_id}`))
    }
    // A wrong query is not an upload.
    await refuse(400, [], { mode: 'replace' })
    const errors = [{ field: null, code: 'shrink_guard', count: 1, first_index: null }]
    const message = expect.stringContaining('would deactivate 3 of 4')
    expect(await uploads.list()).toMatchObject([
      { outcome: 'quota', errors: [{ code: 'quota', count: 1 }] },
      { outcome: 'stale', revision: 1, mode: 'upsert' },
      { outcome: 'shrink_guard', mode: 'reconcile', message, error_count: 1, errors, batch_id: null, held_for: null },
      { outcome: 'invalid', revision: 1, mode: 'upsert' },
      { outcome: 'written', revision: 1, mode: 'upsert' },
    ])
  })

  it('contains internal errors of the service, if they can be stored', async () => {
    const fault = () => Promise.reject(new Error('D1_ERROR: no such column: x: SQLITE_ERROR'))
    const fails = failing([fault], ({ writes }) => writes)
    await catalog.refused(500, catalog.through(serviceWith(fails)).post([catalog.record('a')]))
    const [failed] = await uploads.list()
    expect(failed).toMatchObject({ outcome: 'failed', error_count: 0 })
    expect(failed!.message).not.toContain('column')
  })

  it('never makes an upload fail because its rejection cannot be stored', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const down = serviceWith(({ writes, run }) => (writes ? Promise.reject(new Error('D1 DB is overloaded')) : run()))
    const { message } = await catalog.refused(400, catalog.through(down).post([{ medication_id: 'a' }]))
    expect(message).toContain('name is required')
    expect(log.mock.calls.join('\n')).toContain('the refusal is not listed')
    expect(await uploads.list()).toEqual([])
  })

  it('is paged, and filtered by outcome', async () => {
    await catalog.write([catalog.record('a')])
    await refuse(400, [{ medication_id: 'b' }])
    await catalog.write([catalog.record('a')])
    const all = await uploads.list()
    expect(all.map(({ outcome }) => outcome)).toEqual(['unchanged', 'invalid', 'written'])
    const page = { items: all.slice(1, 2), count: 1, total: 3, has_more: true }
    expect(await uploads.page({ limit: 1, offset: 1 })).toMatchObject(page)
    for (const upload of all)
      expect(await uploads.page({ outcome: upload.outcome })).toMatchObject({ items: [upload], total: 1 })
    expect(await uploads.page({ outcome: 'held' })).toMatchObject({ items: [], total: 0 })
  })
})

describe('the stored data of a rejection', () => {
  it('is its ten most frequent errors, without a value of a record', async () => {
    const secret = 'Zaubertrank'
    const records = Array.from({ length: 60 }, (_, n) => ({
      medication_id: `${secret}${n}`,
      name: n < 40 ? secret.repeat(30) : secret,
      otc: n % 2 === 0 ? secret : true,
      sku: n === 7 ? secret.repeat(20) : secret,
    }))
    const classes = ['therapy_class', 'therapy_class_id', 'action_class']
    const rare = ['generic_name', 'generic_id', 'schedule_code', 'custom_type', ...classes]
    const others = Object.fromEntries([...rare, 'manufacturer'].map((name) => [name, 5]))
    const { errors } = await refuse(400, [...records, { medication_id: 'other', name: 'Other', ...others }])
    expect(errors).toHaveLength(79)
    const [invalid] = await uploads.list()
    expect(invalid).toMatchObject({
      ...{ outcome: 'invalid', error_count: 79 },
      errors: [
        { field: 'name', code: 'too_long', count: 40, first_index: 0 },
        { field: 'otc', code: 'wrong_type', count: 30, first_index: 0 },
        { field: 'sku', code: 'too_long', count: 1, first_index: 7 },
        ...rare.map((field) => ({ field, count: 1, first_index: 60 })),
      ],
      message:
        'Not valid: name is too long (40 errors, first at index 0); otc has the wrong type (30 errors, first at ' +
        'index 0); sku is too long (1 error at index 7); 8 further errors. Nothing was written.',
    })
    // Nor a header, which is a value in a file without a header row.
    const { message } = await catalog.refused(400, catalog.postCsv(`id,name,${secret}\na,b,"x"y\n`))
    expect(message).toContain(secret)
    const offer = await catalog.refused(400, catalog.postCsv(`${secret} Code,Other\na,b\n`))
    expect(offer.message).toContain(secret)
    const { results } = await env.DB.prepare('select * from uploads').all()
    expect(results).toHaveLength(3)
    expect(JSON.stringify(results)).not.toContain(secret)
  })

  it('includes the number of all errors of a large file, which are created while they are sent', async () => {
    const rows = Array.from({ length: 1500 }, (_, n) => `id${n},${'x'.repeat(201)}\n`).join('')
    await catalog.refused(400, catalog.postCsv(`medication_id,name\n${rows}`))
    const errors = [{ field: 'name', code: 'too_long', count: 1500, first_index: 1 }]
    const size_bytes = expect.any(Number)
    expect(await uploads.list()).toMatchObject([{ error_count: 1500, errors, format: 'csv', size_bytes }])
  })

  it('is `invalid` for any unsupported or unreadable body, whatever the status', async () => {
    const gzip = (type: string) => ({ 'Content-Type': type, 'Content-Encoding': 'gzip' })
    const send = (headers: Record<string, string>, body: BodyInit) => catalog.send('POST', '/', {}, { headers, body })
    await catalog.refused(400, send(gzip('application/json'), 'no gzip'))
    expect(await uploads.list()).toMatchObject([{ outcome: 'invalid', format: null, size_bytes: null }])
    await catalog.refused(415, send({ 'Content-Type': 'text/html' }, 'x'))
    const large = new Response(new Uint8Array(MAX_BODY_BYTES + 1)).body!.pipeThrough(new CompressionStream('gzip'))
    await catalog.refused(413, send(gzip('text/csv'), await new Response(large).arrayBuffer()))
    expect(await uploads.outcomes()).toEqual(['invalid', 'invalid', 'invalid'])
  })
})

describe('a repeated rejection of the same client', () => {
  const invalid = () => refuse(400, [{ medication_id: 'a' }])

  it('is one entry with a count and the last time', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 })
    const began = Date.now()
    for (let n = 0; n < 3; n++) {
      await invalid()
      vi.advanceTimersByTime(60_000)
    }
    const [created_at, last_at] = [began, began + 120_000].map((time) => new Date(time).toISOString())
    expect(await uploads.list()).toMatchObject([{ outcome: 'invalid', repeated: 2, created_at, last_at }])
    // Each one of a user is a separate entry.
    const person = await asPerson(catalog)
    for (let n = 0; n < 2; n++) await person.post([{}], {}, { 'X-Request-Id': `try-${n}` })
    const last = { repeated: 0, by_program: false, created_by: 'user:asha@clinic.example', request_id: 'try-1' }
    expect(await uploads.list()).toMatchObject([last, { repeated: 0 }, { repeated: 2, by_program: true }])
  })

  it('is a new entry if something was different', async () => {
    await invalid()
    await catalog.write([catalog.record('a')])
    await invalid()
    await refuse(400, [{ medication_id: 'a' }, { medication_id: 'b' }])
    expect(await uploads.outcomes()).toEqual(['invalid', 'invalid', 'written', 'invalid'])
  })
})

describe('old uploads', () => {
  it('are deleted after 90 days by the scheduled run', async () => {
    await refuse(400, [{}])
    await catalog.write([catalog.record('a')])
    const runAfter = (days: number) => runScheduled(several, new Date(Date.now() + days * DAY_MS))
    await runAfter(89)
    expect(await uploads.outcomes()).toEqual(['written', 'invalid'])
    await runAfter(91)
    expect(await uploads.outcomes()).toEqual(['written'])
  })

  it('are replaced by newer ones beyond a thousand per catalog', async () => {
    const { uploadId } = await held(catalog, [catalog.record('a')])
    await addRefusals(KEPT_REFUSALS, 'old', 'c')
    await refuse(400, [{}])
    expect(await rowsIn('DB', 'uploads')).toBe(KEPT_REFUSALS + 1)
    expect((await uploads.get(uploadId)).outcome).toBe('held')
  })
})
