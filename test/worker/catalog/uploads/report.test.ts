import { expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { newMember } from '../../../support/members'
import { bearer, callService, dataFrom, jsonBody } from '../../../support/service'
import { TestUploads } from '../../../support/uploads'
import { setWatch } from '../../../support/watches'

const catalog = catalogOfEachTest()

const REPORT = { outcome: 'not_sent', message: 'The export is 31 hours old.', file_name: 'medications.csv' }

const report = (body: object, token = catalog.workspace.token) =>
  callService('/admin/catalogs/v1/medication/uploads/report', { method: 'POST', ...jsonBody(body, bearer(token)) })

it('a report of a file that was not sent is listed once, and affects monitoring until the next write', async () => {
  await setWatch(catalog, { every_hours: 24 })
  await catalog.write([catalog.record('a')])
  const first = await dataFrom<{ upload_id: string }>(report(REPORT))
  expect(first).toMatchObject({ ...REPORT, by_program: true, format: null, batch_id: null, repeated: 0 })
  expect(await dataFrom(report(REPORT))).toMatchObject({ upload_id: first.upload_id, repeated: 1 })
  const uploads = new TestUploads(catalog)
  expect(await uploads.list({ outcome: 'not_sent' })).toMatchObject([{ upload_id: first.upload_id }])
  const sync = async () => (await new TestHistory(catalog).status()).sync
  expect(await sync()).toMatchObject({ state: 'refused', last_upload: { upload_id: first.upload_id } })
  await catalog.write([catalog.record('a')])
  expect(await sync()).toMatchObject({ state: 'on_time' })
  const person = await newMember(catalog.workspace.workspaceId, 'editor')
  expect((await report(REPORT, person)).status).toBe(403)
})
