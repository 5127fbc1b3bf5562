import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { purgeCopies } from '#worker/platform/move/purge'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { runScheduled } from '../../../../src/worker/scheduled'
import { catalogOfEachTest, newCatalog, TestCatalog } from '../../../support/catalog'
import { callOperator, newWorkspace } from '../../../support/credentials'
import {
  databaseOf,
  execute,
  move,
  moveToTheEnd,
  recordsOf,
  rowsIn,
  STEP_BY_STEP,
  several,
} from '../../../support/databases'
import { bearer, bodyFrom, calling } from '../../../support/service'

const catalog = catalogOfEachTest()
const { record } = catalog
let id: string

beforeEach(async () => {
  id = catalog.workspace.workspaceId
})

/** The content of a catalog, as callers see it. */
const seen = async (of: TestCatalog) => ({
  list: await of.list({ show_inactive: 1, limit: 1000 }),
  batches: await of.batches(),
  switch: await of.searchStatus(),
  export: await of.export({ show_inactive: 1 }),
  found: await of.ids({ q: 'ünïcode' }),
})

/** Continues the move to `DB_2` until its copy has come so far. */
async function moveUntil(isReached: (copied: number) => boolean | Promise<boolean>): Promise<void> {
  let state = await move(id, 'DB_2', STEP_BY_STEP)
  while (state.state === 'copying' && !(await isReached(state.copied))) state = await move(id, 'DB_2', STEP_BY_STEP)
}

describe('a workspace that is moved', () => {
  it('is the same in its new database, in every catalog, and takes nothing of other workspaces along', async () => {
    const other = await newCatalog()
    await other.write(other.records(3))
    const symptoms = new TestCatalog(catalog.workspace, 'symptom')
    await catalog.upload('id,name,aliases\na,Ünïcode,x|y\nb,"quoted ""b""",\nc,देवनागरी,\n')
    await catalog.write([record('b', { refid: 'as "sent"\n', is_active: false }), record('d')])
    await symptoms.write(symptoms.records(7))
    await symptoms.setSearch(true)
    const before = [await seen(catalog), await seen(symptoms)]
    expect(await moveToTheEnd(id, 'DB_2')).toBe(1)
    expect(await databaseOf(id)).toBe('DB_2')
    expect([await seen(catalog), await seen(symptoms)]).toEqual(before)
    expect(await recordsOf(id, 'DB_2')).toBe(11)
    expect(await recordsOf(other.workspace.workspaceId, 'DB_2')).toBe(0)
    expect(await other.list()).toMatchObject({ total: 3 })
    expect(await catalog.write([record('e'), record('a', { name: 'changed' })])).toMatchObject({
      inserted: 1,
      updated: 1,
      revision: 3,
      active_before: 3,
    })
    expect(await catalog.ids({ q: 'changed' })).toEqual(['a'])
    expect(await catalog.ids({ q: 'ünïcode' })).toEqual([])
  })

  it('leaves turns to the other requests of the isolate, and so does the purge of its copy', async () => {
    await catalog.write(catalog.records(20))
    const turnsDuring = async (work: Promise<unknown>) => {
      let turns = 0
      let isRunning = true
      const others = (async () => {
        for (; isRunning; turns++) await new Promise((resolve) => setTimeout(resolve, 0))
      })()
      await work
      isRunning = false
      await others
      return turns
    }
    // Each step of the copy, of the comparison and of the purge leaves one. Without them it is 1.
    expect(await turnsDuring(moveToTheEnd(id, 'DB_2'))).toBeGreaterThan(5)
    const source = catalogDatabase(several, 'DB', new Meter())
    expect(await turnsDuring(purgeCopies(source, Date.now() + 25 * 3600 * 1000, () => true))).toBeGreaterThan(3)
    expect(await recordsOf(id, 'DB')).toBe(0)
  })

  it('can move back, over its old copy', async () => {
    await catalog.write(catalog.records(5))
    await moveToTheEnd(id, 'DB_2')
    await catalog.reconcile([record('r0', { name: 'new name' }), ...catalog.records(5).slice(1, 4)])
    const before = await seen(catalog)
    await moveToTheEnd(id, 'DB')
    expect(await databaseOf(id)).toBe('DB')
    expect(await seen(catalog)).toEqual(before)
    expect(await catalog.write([record('after')])).toMatchObject({ inserted: 1, revision: 3 })
  })

  it('continues call by call, reports the progress, and refuses writes while it copies', async () => {
    await catalog.write(catalog.records(2500))
    const states = []
    for (let state = await move(id, 'DB_2', STEP_BY_STEP); ; state = await move(id, 'DB_2', STEP_BY_STEP)) {
      states.push(state)
      if (state.state === 'done') break
      expect(await catalog.get('r7')).toMatchObject({ name: 'Name of r7' })
      const refused = await catalog.post([record('r7', { strength: '1' })])
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5'])
    }
    expect(states).toContainEqual({ state: 'copying', copied: 2000, total: 2500 })
    expect(states).toContainEqual({ state: 'copying', copied: 2500, total: 2500 })
    expect((await catalog.list()).total).toBe(2500)
    expect(await catalog.write([record('r7', { strength: '1' })])).toMatchObject({ updated: 1, revision: 2 })
  })

  it('stays where it is, and takes writes, when the copy differs from the source', async () => {
    await catalog.write(catalog.records(20))
    await moveUntil((copied) => copied >= 20)
    await env.DB_2.prepare("update records set data = replace(data, 'r7', 'R7')").run()
    await expect(moveToTheEnd(id, 'DB_2', STEP_BY_STEP)).rejects.toThrow('differs: records/medication')
    expect(await databaseOf(id)).toBe('DB')
    expect(await catalog.write([record('after')])).toMatchObject({ inserted: 1 })
    await moveToTheEnd(id, 'DB_2', STEP_BY_STEP)
    expect(await catalog.get('r7')).toMatchObject({ name: 'Name of r7' })
    expect((await catalog.list()).total).toBe(21)
  })

  it.each([
    ['a row too many', "insert into watches values ('ID', 'symptom', 1, 1, 'x', 0, 'late', 0, 0)"],
    ['a record that is not in the index', 'delete from records_search where rowid = (select max(row_id) from records)'],
    ['another quota', 'update workspace_quotas set records = 7'],
  ])('notices %s in the copy', async (_, change) => {
    await catalog.write(catalog.records(20))
    await moveUntil(async () => (await rowsIn('DB_2', 'workspace_quotas')) > 0)
    await env.DB_2.prepare(change.replace('ID', id)).run()
    await expect(moveToTheEnd(id, 'DB_2', STEP_BY_STEP)).rejects.toThrow('differs')
    await moveToTheEnd(id, 'DB_2')
  })

  it('takes writes again two minutes after the last call, and its copy is deleted', async () => {
    await catalog.write(catalog.records(20))
    await moveUntil((copied) => copied >= 20)
    const writeAfter = async (seconds: number) => {
      await execute('update workspace_moves set stepped_at = ?', Date.now() - seconds * 1000)
      return (await catalog.post([record('after')])).status
    }
    expect(await writeAfter(110)).toBe(503)
    expect(await writeAfter(121)).toBe(200)
    expect(await recordsOf(id, 'DB_2')).toBe(20)
    await runScheduled(several, new Date())
    expect(await recordsOf(id, 'DB_2')).toBe(0)
    expect(await rowsIn('DB_2', 'search_words')).toBe(0)
  })

  it('stays where it is when the move is cancelled', async () => {
    await catalog.write(catalog.records(20))
    await move(id, 'DB_2', STEP_BY_STEP)
    await move(id, 'DB_2', STEP_BY_STEP)
    expect(await move(id, 'DB')).toEqual({ state: 'done' })
    expect(await databaseOf(id)).toBe('DB')
    expect(await catalog.write([record('after')])).toMatchObject({ inserted: 1 })
    await moveToTheEnd(id, 'DB_3')
    expect((await catalog.list()).total).toBe(21)
  })
})

describe("a partner search of the provider's catalog", () => {
  it('finds the same at once after the workspace has left the database of the provider', async () => {
    const provider = new TestCatalog(await newWorkspace('provider'), 'medication')
    await provider.write([provider.record('p', { name: 'Metformin of the provider' })])
    const search = async (q: string) => {
      const path = `/medical-db/v1/search/?type=medication&q=${q}`
      const headers = bearer(catalog.workspace.token)
      const response = await calling(undefined, several)(path, { headers })
      return (await response.json<{ data: { items: { name: string }[] } }>()).data.items
    }
    expect(await search('metformin')).toMatchObject([{ name: 'Metformin of the provider' }])
    await moveToTheEnd(id, 'DB_2')
    // The credential still names the old database.
    for (const q of ['metformin', 'metfor', 'provider'])
      expect(await search(q), q).toMatchObject([{ name: 'Metformin of the provider' }])
  })
})

describe('POST /platform/v1/workspaces/{workspace_id}/move', () => {
  const call = (workspaceId: string, body: unknown) =>
    callOperator(`/workspaces/${workspaceId}/move`, body, 'POST', calling(undefined, several))

  it('answers done when the workspace is there, and again', async () => {
    await catalog.write(catalog.records(3))
    for (let n = 0; n < 2; n++) {
      expect(await bodyFrom(call(id, { database: 'DB_2' }))).toMatchObject({ success: true, data: { state: 'done' } })
    }
    expect((await catalog.list()).total).toBe(3)
  })

  it('answers 404 for an unknown workspace, 400 for an unknown database', async () => {
    expect((await call('nowhere', { database: 'DB_2' })).status).toBe(404)
    expect((await call(id, { database: 'DB_9' })).status).toBe(400)
    expect((await call(id, {})).status).toBe(400)
  })

  it('answers 409 while the workspace is being moved to a third database', async () => {
    await catalog.write(catalog.records(3))
    await move(id, 'DB_2', STEP_BY_STEP)
    expect(await bodyFrom(call(id, { database: 'DB_3' }), 409)).toMatchObject({
      message: expect.stringContaining('being moved to DB_2'),
    })
  })

  it('may be called many times at once', async () => {
    await catalog.write(catalog.records(50))
    expect((await Promise.all(Array.from({ length: 5 }, () => move(id, 'DB_2')))).length).toBe(5)
    await moveToTheEnd(id, 'DB_2')
    expect((await catalog.list()).total).toBe(50)
    expect(await catalog.write([record('after')])).toMatchObject({ inserted: 1 })
  })
})
