import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('the batches of a catalog', () => {
  it('are its committed CSV uploads, newest first, with their counts, in pages that name the latest', async () => {
    const none = { latest: null, items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }
    expect(await catalog.batches()).toEqual(none)
    await catalog.write([record('json')])
    const file = 'id,name,colour\na,A,red\nb,B,\n'
    const first = await catalog.upload(file)
    await catalog.upload(file, { dry_run: true })
    await catalog.refused(400, catalog.postCsv('id,name\n,B\n'))
    await catalog.refused(409, catalog.postCsv('id,name\n', { mode: 'reconcile' }))
    const second = await catalog.upload('id,name\na,A2\n', { mode: 'reconcile', confirm_shrink: true })
    const third = await catalog.upload('id,name\na,A2\n')
    const { latest, items, total } = await catalog.batches()
    expect([latest, total]).toEqual([items[0], 3])
    expect(items.map(({ batch_id }) => batch_id)).toEqual([third.batch_id, second.batch_id, first.batch_id])
    expect(items[2]).toEqual({
      ...{ batch_id: first.batch_id, type: 'medication', mode: 'upsert', file_name: null, size_bytes: file.length },
      ...{ total: 2, inserted: 2, updated: 0, unchanged: 0, reactivated: 0, deactivated: 0, warnings: 1, revision: 2 },
      ...{ created_by: catalog.workspace.clientId, created_at: expect.any(String) },
    })
    expect(items[1]).toMatchObject({ mode: 'reconcile', updated: 1, deactivated: 2, revision: 3, warnings: 0 })
    expect(items[0]).toMatchObject({ updated: 1, unchanged: 1, revision: 3 })
    const page = { items: [items[1]], count: 1, total: 3, limit: 1, offset: 1, has_more: true, latest }
    expect(await catalog.batches({ limit: 1, offset: 1 })).toEqual(page)
    expect(await catalog.batches({ offset: 3 })).toMatchObject({ items: [], latest, has_more: false })
  })

  it('take the file name and the size of the file in a form', async () => {
    const form = new FormData()
    form.append('file', new File(['id,name\na,A'], 'Übersicht 1.csv'))
    await catalog.send('POST', '/', {}, { body: form })
    expect((await catalog.batches()).latest).toMatchObject({ file_name: 'Übersicht 1.csv', size_bytes: 11 })
  })
})
