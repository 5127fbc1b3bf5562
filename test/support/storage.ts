import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { MARK_KEY } from '#worker/storage/bucket'

const DEPLOYMENT_ID = 'the deployment of the tests'

const DATABASES = [env.DB, env.DB_2, env.DB_3]

/** Storage that was used since it was made blank. */
const used = new Set<object>()

/** Notes each call to a storage. */
function watchUse(storage: object): void {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(storage))) {
    const method: unknown = Reflect.get(storage, name)
    if (name === 'constructor' || typeof method !== 'function') continue
    Reflect.set(storage, name, (...args: unknown[]) => {
      used.add(storage)
      return Reflect.apply(method, storage, args)
    })
  }
}

for (const storage of [...DATABASES, env.SEEN_JTI, env.DOCUMENTS]) watchUse(storage)

type Row = Record<string, unknown>

/** A database with all migrations and no rows, and the way back to it. */
interface Blank {
  /** A query for one row, with a column for the schema and one for the content of each table. */
  probe: string
  /** The answer of a blank database. */
  row: Row
  /** The statements that empty a table, by the name of its column. */
  emptying: Map<string, string[]>
}

/** Column for the schema: a database that differs here is made again. */
const SCHEMA = 'schema'

const SCHEMA_PROBE = `(select group_concat(coalesce(sql, name)) from sqlite_master)
  || (select group_concat(name) from d1_migrations)`

/** How to see the content of a table, and how to delete it. */
function waysWith(name: string, type: string): { probe: string; emptying: string[] } {
  if (name === 'sqlite_sequence') {
    const rows = `from sqlite_sequence where name <> 'd1_migrations'`
    return { probe: `exists(select 1 ${rows})`, emptying: [`delete ${rows}`] }
  }
  // The id of the deployment stays, because the isolate remembers that the bucket has its mark.
  if (name === 'deployment') {
    const used = 'sealed_lookup_key is not null'
    return {
      probe: `exists(select 1 from deployment where ${used})`,
      emptying: ['update deployment set sealed_lookup_key = null'],
    }
  }
  if (type === 'table') return { probe: `exists(select 1 from ${name})`, emptying: [`delete from ${name}`] }
  // The full-text index: the number of its blocks, and the first two of them, which describe the others. Its settings
  // are in memory only after it has been read; without them it would be emptied to a slightly different state.
  return {
    probe: `(select count(*) || group_concat(iif(id < 16, hex(block), '')) from ${name}_data)`,
    emptying: [`select count(*) from ${name}('a')`, `insert into ${name}(${name}) values ('delete-all')`],
  }
}

async function readBlank(database: D1Database): Promise<Blank> {
  const { results } = await database
    .prepare(
      `select l.name, l.type from pragma_table_list l join sqlite_master m on m.name = l.name
        where l.schema = 'main' and l.type in ('table', 'virtual') and m.sql not like '% using fts5vocab(%'
          and l.name <> 'd1_migrations' and l.name not like '\\_cf\\_%' escape '\\'
        order by l.name`,
    )
    .all<{ name: string; type: string }>()
  const tables = results.map(({ name, type }) => ({ name, ...waysWith(name, type) }))
  const columns = [`${SCHEMA_PROBE} as ${SCHEMA}`, ...tables.map(({ name, probe }) => `${probe} as ${name}`)]
  const probe = `select ${columns.join(', ')}`
  const row = await database.prepare(probe).first<Row>()
  return { probe, row: row!, emptying: new Map(tables.map(({ name, emptying }) => [name, emptying])) }
}

/** @returns undefined for a database that lacks a table */
async function probed(database: D1Database, { probe }: Blank): Promise<Row | undefined> {
  try {
    return (await database.prepare(probe).first<Row>()) ?? undefined
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table')) return undefined
    throw error
  }
}

/** @returns whether the database is blank now; false if its schema is another one */
async function emptyDatabase(database: D1Database, known: Blank): Promise<boolean> {
  const row = await probed(database, known)
  if (row?.[SCHEMA] !== known.row[SCHEMA]) return false
  const used = [...known.emptying].filter(([name]) => row?.[name] !== known.row[name])
  if (used.length === 0) return true
  const statements = ['pragma defer_foreign_keys = on', ...used.flatMap(([, emptying]) => emptying)]
  await database.batch(statements.map((statement) => database.prepare(statement)))
  return true
}

async function emptyNamespace(namespace: KVNamespace): Promise<void> {
  const { keys, list_complete } = await namespace.list()
  await Promise.all(keys.map(({ name }) => namespace.delete(name)))
  if (!list_complete) await emptyNamespace(namespace)
}

async function emptyBucket(bucket: R2Bucket): Promise<void> {
  const { objects, truncated } = await bucket.list()
  const keys = objects.map(({ key }) => key).filter((key) => key !== MARK_KEY)
  if (keys.length > 0) await bucket.delete(keys)
  if (truncated) await emptyBucket(bucket)
}

/**
 * Deletes everything, the tables too. `reset()` alone forgets the databases that no test has used for ten seconds: the
 * runtime has put these out of memory, and it deletes only what is in memory. So each is used first.
 */
export async function eraseStorage(): Promise<void> {
  await Promise.all([
    ...DATABASES.map((database) => database.prepare('select 1').run()),
    env.SEEN_JTI.list(),
    env.DOCUMENTS.list(),
  ])
  await reset()
}

/** Read once per runtime. */
let blank: Blank | undefined

async function makeStorage(): Promise<Blank> {
  await eraseStorage()
  await Promise.all(DATABASES.map((database) => applyD1Migrations(database, env.TEST_MIGRATIONS)))
  await env.DB.prepare('insert into deployment (number, deployment_id) values (1, ?)').bind(DEPLOYMENT_ID).run()
  await env.DOCUMENTS.put(MARK_KEY, DEPLOYMENT_ID)
  return readBlank(env.DB)
}

async function empty(): Promise<void> {
  const known = blank
  if (known) {
    const isUsed = (storage: object) => used.has(storage)
    const [databases] = await Promise.all([
      Promise.all(DATABASES.filter(isUsed).map((database) => emptyDatabase(database, known))),
      isUsed(env.SEEN_JTI) && emptyNamespace(env.SEEN_JTI),
      isUsed(env.DOCUMENTS) && emptyBucket(env.DOCUMENTS),
    ])
    if (databases.every(Boolean)) return used.clear()
  }
  blank = await makeStorage()
  used.clear()
}

let last: Promise<void> = Promise.resolve()

/**
 * Makes all databases blank and deletes all keys and objects. Much faster than to make the databases again, which
 * happens only if a test has changed a schema. Waits for the call before: a hook that took too long goes on beside the
 * next test.
 */
export function emptyStorage(): Promise<void> {
  last = last.catch(() => undefined).then(empty)
  return last
}
