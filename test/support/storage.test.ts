import { abortAllDurableObjects } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newCatalog } from './catalog'
import { moveToTheEnd, several } from './databases'
import { TestHistory } from './history'
import { newPartner } from './partners'
import { calling } from './service'
import { emptyStorage, eraseStorage } from './storage'
import { objects } from './uploads'

const DATABASES = { DB: env.DB, DB_2: env.DB_2, DB_3: env.DB_3 }

/**
 * Everything that a database has, with the tables behind the full-text index, and without the time of its migrations.
 */
async function contentOf(database: D1Database): Promise<Record<string, unknown>> {
  const run = async (sql: string) => (await database.prepare(sql).all()).results
  const schema = await run(`select type, name, sql from sqlite_master where name <> '_cf_METADATA' order by name`)
  const tables = schema.filter(({ type, sql }) => type === 'table' && !String(sql).includes('VIRTUAL TABLE'))
  const content: Record<string, unknown> = { schema }
  for (const { name } of tables) {
    const columns = name === 'd1_migrations' ? 'name' : '*'
    content[String(name)] = await run(`select ${columns} from "${name}"`)
  }
  return content
}

const contents = () => Promise.all(Object.values(DATABASES).map(contentOf))

/** Leaves something in every storage: rows in two databases, a word index, keys and objects. */
async function useStorage(): Promise<void> {
  const catalog = await newCatalog()
  await catalog.write(catalog.records(30))
  await catalog.reconcile(catalog.records(29, () => ({ strength: '1' })))
  await new TestHistory(catalog).restore(1)
  await newPartner({ workspaceId: catalog.workspace.workspaceId })
  await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
  const other = await newCatalog('symptom')
  await other.through(calling(undefined, several)).write(other.records(10))
  await env.SEEN_JTI.put('a key', 'value')
  await env.DOCUMENTS.put('an object', 'bytes')
}

describe('the storage of a test', () => {
  let blank: Awaited<ReturnType<typeof contents>>

  beforeAll(async () => {
    await eraseStorage()
    await emptyStorage()
    blank = await contents()
  })
  beforeEach(useStorage)

  it.each([
    ['rows', 'select 1'],
    ['a dropped table', 'drop table members'],
  ])('is like new after %s, also if a call that took too long is still at work', async (_, statement) => {
    await env.DB_3.prepare(statement).run()
    // As after ten seconds in which nothing was used.
    await abortAllDurableObjects()
    await Promise.all([emptyStorage(), emptyStorage()])
    expect(await contents()).toEqual(blank)
    expect((await env.SEEN_JTI.list()).keys).toEqual([])
    expect(await objects()).toEqual([])
  })
})
