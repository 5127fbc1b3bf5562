import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newCatalog, TestCatalog } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { held, heldBy, personOf, TestUploads } from '../../../support/uploads'

let catalog: TestCatalog
let uploads: TestUploads
let person: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
  uploads = new TestUploads(catalog)
  person = new TestCatalog({ ...catalog.workspace, token: await personOf(catalog) }, 'medication')
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** What the status of the catalog says. */
async function read() {
  const { sync } = await new TestHistory(catalog).status()
  return { upload: sync.last_upload, success: sync.last_success_at }
}

describe('the newest upload and the last success of a program', () => {
  it('are none while only people write', async () => {
    await person.write([person.record('a')])
    await person.post([{}])
    expect(await read()).toEqual({ upload: null, success: null })
  })

  it('are its last write, also one that changed nothing, whatever people do after it', async () => {
    await catalog.write([catalog.record('a')])
    await catalog.write([catalog.record('a')])
    const [newest] = await uploads.list()
    await person.write([person.record('b')])
    await person.post([{}])
    const { upload, success } = await read()
    expect(upload).toEqual(newest)
    expect(upload?.outcome).toBe('unchanged')
    expect(Math.abs(Date.parse(success!) - Date.parse(upload!.created_at))).toBeLessThan(5000)
  })

  it('differ after a refusal, and not after a dry run that holds its file', async () => {
    await catalog.write([catalog.record('a')])
    const { success } = await read()
    await catalog.post([{}])
    await held(catalog, [catalog.record('b')])
    expect(await read()).toMatchObject({ upload: { outcome: 'invalid' }, success })
  })

  it('are the file of the program once a person has approved it', async () => {
    await catalog.write(catalog.records(4))
    const before = await read()
    const { errors } = await catalog.refused(409, catalog.post([catalog.record('r0')], { mode: 'reconcile' }))
    const { uploadId } = heldBy(errors[0] as object)
    expect(await read()).toMatchObject({
      upload: { upload_id: uploadId, outcome: 'held' },
      success: before.success,
    })
    await new TestUploads(catalog, person.workspace.token).written(uploadId, { confirm_shrink: true })
    const after = await read()
    expect(after.upload).toMatchObject({ upload_id: uploadId, outcome: 'approved', by_program: true })
    expect(after.success! > before.success!).toBe(true)
  })
})
