import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { type Query, WorkspaceMove } from '../../../scripts/move/workspace-move.ts'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'
import { callOperator, quotaOf } from '../../support/credentials'
import { databaseOf, moveToTheEnd, queryOf, recordsOf, rowsIn, several } from '../../support/databases'
import { documentOf, uploadTo } from '../../support/documents'
import { TestHistory } from '../../support/history'
import { bearer, dataFrom } from '../../support/service'
import { held, TestUploads } from '../../support/uploads'

const catalog = catalogOfEachTest()

const id = () => catalog.workspace.workspaceId

const setState = (state: string) => callOperator(`/workspaces/${id()}/state`, { state }, 'PUT')

const stateOf = () => env.DB.prepare('select state from workspaces where workspace_id = ?').bind(id()).first('state')

/** Some records, with history. */
async function fill(count = 5): Promise<void> {
  await catalog.write(catalog.records(count))
  await catalog.reconcile(catalog.records(count - 1, () => ({ strength: '1' })))
  await new TestHistory(catalog).restore(1)
}

/** A caller's view of the workspace. */
async function view() {
  const history = new TestHistory(catalog)
  return {
    records: (await catalog.list({ limit: 100, show_inactive: 1 })).items,
    found: (await catalog.list({ q: 'name' })).total,
    writes: (await history.writes()).items,
    versions: (await history.record('r1')).items,
    status: await history.status(),
    quotas: await quotaOf(catalog.workspace),
  }
}

class Killed extends Error {}

/** Statements of a command that is killed before, or after, one of them. */
function killedAt(step: number, after = false): { query: Query; isKilled: () => boolean } {
  const real = queryOf(several)
  let n = 0
  const query: Query = async (...statement) => {
    if (n > step) throw new Killed()
    const isLast = n++ === step
    if (isLast && !after) throw new Killed()
    const rows = await real(...statement)
    if (isLast) throw new Killed()
    return rows
  }
  return { query, isKilled: () => n > step }
}

describe('the move of a workspace', () => {
  it('copies all of it to another database', async () => {
    await fill()
    await documentOf(await uploadTo(bearer(catalog.workspace.token)))
    await quotaOf(catalog.workspace, { documents: 0, registrations: 7 })
    const { uploadId } = await held(catalog, [catalog.record('new')])
    const other = await newCatalog()
    await other.write(other.records(3))
    const before = await view()
    await moveToTheEnd(id(), 'DB_2')
    expect(await databaseOf(id())).toBe('DB_2')
    expect(await view()).toEqual(before)
    expect(await rowsIn('DB_2', 'documents')).toBe(1)
    expect((await new TestUploads(catalog).written(uploadId)).inserted).toBe(1)
    expect(await recordsOf(other.workspace.workspaceId, 'DB')).toBe(3)
    expect((await catalog.write([catalog.record('more')])).inserted).toBe(1)
    // The old copy stays unchanged.
    expect(await recordsOf(id(), 'DB')).toBe(5)
  })

  it('compares many pages, which have other boundaries if row IDs are longer', async () => {
    await env.DB_2.exec("insert into catalogs (catalog_id, workspace_id, type) values (100000, 'other', 'symptom')")
    await catalog.write(catalog.records(1300, () => ({ manufacturer: 'x'.repeat(190), display_name: 'y'.repeat(190) })))
    await moveToTheEnd(id(), 'DB_2')
    expect((await catalog.list({ q: 'name' })).total).toBe(1300)
  })

  it('may be killed before or after any statement: the workspace is complete, and the next run finishes', async () => {
    await fill()
    const before = await view()
    let isKilled = true
    for (let step = 0; isKilled; step += 29) {
      const target = (await databaseOf(id())) === 'DB' ? 'DB_2' : 'DB'
      const command = killedAt(step, step % 2 === 1)
      await moveToTheEnd(id(), target, command.query).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
      isKilled = command.isKilled()
      const { status: _, writes: __, ...whole } = await view()
      expect(before).toMatchObject(whole)
      await moveToTheEnd(id(), target)
      expect([await databaseOf(id()), await stateOf()]).toEqual([target, 'active'])
      expect(await view()).toEqual(before)
    }
  })

  it('rejects writes while it runs, and ends with the state that the operator has set in the meantime', async () => {
    await fill()
    await moveToTheEnd(id(), 'DB_2', killedAt(10).query).catch(() => undefined)
    await setState('active')
    expect(await stateOf()).toBe('read_only')
    expect((await catalog.post([catalog.record('a')])).status).toBe(503)
    await moveToTheEnd(id(), 'DB_2')
    expect((await catalog.write([catalog.record('a')])).inserted).toBe(1)
    const real = queryOf(several)
    let n = 0
    await moveToTheEnd(id(), 'DB_3', async (...statement) => {
      if (n++ === 20) await setState('suspended')
      return real(...statement)
    })
    expect([await databaseOf(id()), await stateOf()]).toEqual(['DB_3', 'suspended'])
  })

  it("rejects the operator's changes in the database from its start to its end, so that none is lost", async () => {
    await fill()
    const webhooks = `/workspaces/${id()}/webhooks`
    const { webhook_id: webhookId } = await dataFrom<{ webhook_id: string }>(
      callOperator(webhooks, { url: 'https://hooks.example.com' }),
    )
    const changes = () => [
      callOperator(`/workspaces/${id()}/quota`, { records: 7 }),
      callOperator(webhooks, { url: 'https://other.example.com' }),
      callOperator(`${webhooks}/${webhookId}/rotate`, undefined, 'POST'),
      callOperator(`${webhooks}/${webhookId}/test`, undefined, 'POST'),
      callOperator(`${webhooks}/${webhookId}`, undefined, 'DELETE'),
    ]
    const statuses = async (calls: Promise<Response>[]) => (await Promise.all(calls)).map(({ status }) => status)
    const real = queryOf(several)
    let [isUnderWay, asked] = [false, 0]
    await moveToTheEnd(id(), 'DB_2', async (...statement) => {
      const rows = await real(...statement)
      isUnderWay ||= statement[1].includes('set move_id = ?2')
      const isEnd = statement[1].includes('move_target = null')
      const isSwitch = statement[1].includes('database_binding = ?3')
      if (isUnderWay && !isEnd && (isSwitch || asked++ % 20 === 0)) {
        expect(await statuses(changes())).toEqual([409, 409, 409, 409, 409])
        // Reads and revocations continue to work.
        const calls = [callOperator(webhooks), callOperator(`/workspaces/${id()}/quota`)]
        expect(await statuses(calls)).toEqual([200, 200])
      }
      return rows
    })
    expect(asked).toBeGreaterThan(20)
    expect(await databaseOf(id())).toBe('DB_2')
    expect((await callOperator(`/workspaces/${id()}/quota`, { records: 7 })).status).toBe(200)
  })

  it('starts over if the original changes in the meantime, also after the switch', async () => {
    await fill()
    const real = queryOf(several)
    const late = (name: string) =>
      env.DB.prepare("insert into registrations values (?, ?, ?, 'sealed', null, 0, 1)").bind(name, id(), name).run()
    let copied = false
    await moveToTheEnd(id(), 'DB_2', async (binding, sql, params) => {
      // The quotas are copied last.
      if (!copied && binding === 'DB_2' && sql.includes('into "workspace_quotas"')) {
        copied = true
        await late('before the switch')
      }
      const rows = await real(binding, sql, params)
      const isSwitch = sql.includes('database_binding = ?3') && params[2] === 'DB_2'
      if (isSwitch && (await rowsIn('DB', 'registrations')) === 1) await late('after the switch')
      return rows
    })
    expect([await databaseOf(id()), await rowsIn('DB_2', 'registrations')]).toEqual(['DB_2', 2])
  })

  it('runs only once: if there are two, the earlier one ends with an error', async () => {
    await fill()
    const real = queryOf(several)
    let n = 0
    const first = moveToTheEnd(id(), 'DB_2', async (...statement) => {
      if (n++ === 30) await moveToTheEnd(id(), 'DB_2')
      return real(...statement)
    })
    await expect(first).rejects.toThrow('Another command is moving the workspace.')
    expect([await databaseOf(id()), await stateOf(), await recordsOf(id(), 'DB_2')]).toEqual(['DB_2', 'active', 5])
  })

  it('is cancelled by a move to the present database', async () => {
    await fill()
    await moveToTheEnd(id(), 'DB_2', killedAt(25).query).catch(() => undefined)
    await expect(moveToTheEnd(id(), 'DB_3')).rejects.toThrow('is being moved to DB_2')
    await moveToTheEnd(id(), 'DB')
    expect([await databaseOf(id()), await stateOf()]).toEqual(['DB', 'active'])
    await runScheduled(several, new Date(Date.now() + 25 * 3600 * 1000))
    expect([await recordsOf(id(), 'DB'), await rowsIn('DB_2', 'catalogs')]).toEqual([5, 0])
  })

  it('is rejected for an unknown or erased workspace', async () => {
    await expect(moveToTheEnd('nobody', 'DB_2')).rejects.toThrow('no workspace nobody')
    await env.DB.exec("update workspaces set state = 'erased'")
    await expect(moveToTheEnd(id(), 'DB_2')).rejects.toThrow('is erased')
  })

  it('waits before the copy and after the switch, by the clock of the database', async () => {
    const said: string[] = []
    const startedAt = Date.now()
    const say = (text: string) => said.push(text)
    await new WorkspaceMove({ query: queryOf(several), workspaceId: id(), target: 'DB_2', waitMs: 100, say }).run()
    expect(Date.now() - startedAt).toBeGreaterThan(200)
    expect(said.filter((text) => text.startsWith('Waiting'))).toHaveLength(2)
  })
})
