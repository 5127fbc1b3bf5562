import { beforeEach, describe, expect, it } from 'vitest'
import page from '../../docs/undo.md?raw'
import { catalogOfEachTest, type Fields } from '../support/catalog'
import { TestHistory } from '../support/history'
import { bearer, callService, dataFrom } from '../support/service'
import { section } from './markdown'

/** The revisions that the page uses. */
const GOOD = 41
const BAD = GOOD + 1

/** The requests of a section, from its code blocks. */
const requestsOf = (anchor: string): string[] =>
  Array.from(section(page, anchor).matchAll(/^```\n((?:GET|POST) \S+)\n```$/gm), ([, request]) => request!)

describe('the requests of the page on bad uploads', () => {
  const catalog = catalogOfEachTest()
  const history = new TestHistory(catalog)
  let batchId: string

  /** Sends a request of the page; `<…>` stands for the reader's own IDs. */
  const send = async (request: string): Promise<Response> => {
    const filled = request.replace('<batch_id>', batchId).replace('<id>', 'r0')
    expect(filled).not.toMatch(/[<>]/)
    const [method, path] = filled.split(' ') as [string, string]
    return callService(path, { method, headers: bearer(catalog.workspace.token) })
  }
  const dataOf = <T = Fields>(response: Response) => dataFrom<T>(response)

  beforeEach(async () => {
    for (let revision = 1; revision <= GOOD; revision++) {
      await catalog.write(catalog.records(4, (n) => ({ strength: `${revision} mg`, sku: `sku ${n}` })))
    }
    // Last year's list: an old value, a missing record and an additional one.
    const old = catalog.records(3, (n) => ({ strength: n === 0 ? 'old' : `${GOOD} mg`, sku: `sku ${n}` }))
    await catalog.reconcile([...old, catalog.record('new')])
    batchId = (await history.status()).last_write!.batch_id
  })

  const COUNTS = { updated: 1, reactivated: 1, deactivated: 1 }

  it('undo a write', async () => {
    const [list] = requestsOf('1-find-the-upload')
    const { items } = await dataOf<{ items: Fields[] }>(await send(list!))
    expect(items[0]).toMatchObject({ batch_id: batchId, revision: BAD, inserted: 1, deactivated: 1 })
    expect(items[1]).toMatchObject({ revision: GOOD })
    const [changes, record] = requestsOf('2-see-what-it-changed')
    expect(await (await send(changes!)).text()).toContain('updated,r0,Name of r0,strength,41 mg,old')
    const versions = await dataOf<{ items: Fields[] }>(await send(record!))
    expect(versions.items[0]).toMatchObject({ revision: BAD, fields: { strength: ['41 mg', 'old'] } })
    const [preview, undo] = requestsOf('3-undo-this-write')
    expect(await dataOf(await send(preview!))).toMatchObject({ dry_run: true, ...COUNTS, revision: BAD })
    expect(await dataOf(await send(undo!))).toMatchObject({ ...COUNTS, revision: BAD + 1 })
    expect(await dataOf(await send(preview!))).toHaveProperty('changed_later')
  })

  it('restore a catalog that has not changed since the preview', async () => {
    const [preview] = requestsOf('4-preview-a-restore')
    const [restore] = requestsOf('5-restore')
    expect((await send(restore!.replace(`expected_revision=${BAD}`, `expected_revision=${GOOD}`))).status).toBe(409)
    expect(await dataOf(await send(preview!))).toMatchObject({ dry_run: true, ...COUNTS, revision: BAD })
    expect(await dataOf(await send(restore!))).toMatchObject({ mode: 'restore', ...COUNTS, revision: BAD + 1 })
    expect(await catalog.get('r0')).toMatchObject({ strength: '41 mg' })
    const [, status] = /`(GET \S+)`/.exec(section(page, 'changes-that-are-too-old-to-undo'))!
    expect(await dataOf(await send(status!))).toMatchObject({ oldest_restorable_revision: 0 })
    expect(page.match(/^(GET|POST) /gm), 'requests of the page').toHaveLength(7)
  })
})
