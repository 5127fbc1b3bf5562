import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, catalogOfEachTest, dataOf, type Fields } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { idsFound, search } from '../../../support/searches'
import { jsonBody } from '../../../support/service'

const catalog = catalogOfEachTest()
const history = new TestHistory(catalog)
const { record } = catalog

const path = (id: string, rest = '') => `/admin/catalogs/v1/medication/records/${id}/added-names${rest}`

const send = (id: string, text: string) => call(catalog.workspace.token, 'POST', path(id), jsonBody({ text }))

const add = async (id: string, text: string) => dataOf<Fields>(await send(id, text))

const remove = async (id: string, text: string) =>
  dataOf<Fields>(await call(catalog.workspace.token, 'DELETE', path(id, `/${encodeURIComponent(text)}`)))

const PILL = { name: 'Norethisterone 350 mcg', aliases: ['POP'] }

describe('an added name', () => {
  it('finds its record as an alias does, and is shown with it', async () => {
    await catalog.write([record('a', PILL), record('b', { name: 'Mini golf' })])
    expect(await add('a', 'Mini-Pill 0.35 mg')).toMatchObject({ added_names: ['mini pill 0.35 mg'] })
    expect((await search(catalog, 'mini pill', { source: 'workspace' })).groups[0]).toMatchObject({
      match: 'exact',
      count: 1,
    })
    expect(await idsFound(catalog, 'mini')).toEqual(['b', 'a'])
    const { items } = await search(catalog, 'pill 350mcg', { source: 'workspace' })
    expect(items).toMatchObject([{ medication_id: 'a', added_names: ['mini pill 0.35 mg'] }])
    expect((await catalog.list({ q: 'nipil' })).items).toEqual([])
    expect((await catalog.list({ q: 'ini pil' })).items).toMatchObject([{ added_names: ['mini pill 0.35 mg'] }])
    expect(await catalog.get('a')).toMatchObject({ added_names: ['mini pill 0.35 mg'] })
  })

  it('survives every write of the record, and records that are read can be written back', async () => {
    await catalog.write([record('a', PILL)])
    await add('a', 'mini pill')
    await catalog.write([{ ...(await catalog.get('a')), added_names: ['ignored'], strength: '0.35 mg' }])
    await catalog.upload('id,name\na,Other\n', { mode: 'reconcile', keep_missing: false })
    await catalog.reconcile([record('a', { name: 'Third' })])
    await history.restore(1)
    expect(await catalog.get('a')).toMatchObject({ name: PILL.name, added_names: ['mini pill'] })
    expect(await idsFound(catalog, 'mini pill')).toEqual(['a'])
    await catalog.reconcile([record('other')], { confirm_shrink: true })
    expect(await idsFound(catalog, 'mini pill')).toEqual([])
  })

  it('is in the history of its record, and mirrors receive it', async () => {
    await catalog.write([record('a', PILL)])
    await add('a', 'mini pill')
    await remove('a', 'Mini Pill')
    const { items } = await history.record('a')
    expect(items.map(({ change, fields }) => [change, fields])).toEqual([
      ['updated', { added_names: [['mini pill'], []] }],
      ['updated', { added_names: [[], ['mini pill']] }],
      ['inserted', expect.anything()],
    ])
    expect(items[1]).toMatchObject({ changed_by: catalog.workspace.clientId, record: { added_names: ['mini pill'] } })
    expect((await history.changes({ since_revision: 1 })).items).toMatchObject([{ revision: 3, change: 'updated' }])
    expect(await idsFound(catalog, 'mini pill')).toEqual([])
  })

  it('is no upload of the client that adds it, and no undo removes it', async () => {
    await catalog.write([record('a', PILL)])
    const { last_success_at } = (await history.status()).sync
    await add('a', 'mini pill')
    const { sync, last_write } = await history.status()
    expect(sync.last_success_at).toBe(last_success_at)
    expect(last_write).toMatchObject({ format: 'added_name', updated: 1 })
    await catalog.refused(409, history.send('POST', `/writes/${last_write!.batch_id}/undo`))
  })

  it('is rejected if it is not a valid name', async () => {
    await catalog.write([record('a', PILL)])
    for (let n = 0; n < 20; n++) await add('a', `name ${n}`)
    expect(await add('a', 'NAME 3')).toMatchObject({ added_names: expect.objectContaining({ length: 20 }) })
    await catalog.refused(409, send('a', 'one more'))
    const { errors } = await catalog.refused(400, send('a', 'x'.repeat(65)))
    expect(errors).toMatchObject([{ field: 'text', code: 'too_long', limit: 64 }])
    await catalog.refused(400, send('a', '?'))
    await catalog.refused(404, send('b', 'name'))
    await catalog.refused(404, call(catalog.workspace.token, 'DELETE', path('a', '/unknown')))
  })

  it('removes the search without a match that it resolves', async () => {
    await catalog.write([record('a', PILL)])
    await catalog.setSearch(true)
    await call(
      catalog.workspace.token,
      'POST',
      '/medical-db/v1/search/misses',
      jsonBody({ type: 'medication', q: 'mp' }),
    )
    await call(
      catalog.workspace.token,
      'POST',
      '/medical-db/v1/search/misses',
      jsonBody({ type: 'medication', q: 'mpp' }),
    )
    expect(await env.DB.prepare('select text from search_misses').all()).toMatchObject({
      results: [{ text: 'mpp' }],
    })
    await add('a', 'MPP')
    expect(await env.DB.prepare('select count(*) as n from search_misses').first('n')).toBe(0)
  })
})
