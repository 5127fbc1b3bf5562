import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { MARK_KEY } from '#worker/storage/bucket'

const DEPLOYMENT_ID = 'the deployment of the tests'

const DATABASES = [env.DB, env.DB_2, env.DB_3]

/** The statements that empty a database. Determined once the databases are created; no test leaves another schema. */
let emptying: string[] | undefined

function emptyingOf({ name, type }: { name: string; type: string }): string[] {
  if (name === 'sqlite_sequence') return [`delete from sqlite_sequence where name <> 'd1_migrations'`]
  // The deployment's ID stays, because the isolate caches that the bucket has its ownership marker.
  if (name === 'deployment') return ['update deployment set sealed_lookup_key = null']
  if (type === 'table') return [`delete from ${name}`]
  // The full-text index loads its settings only when it is read.
  return [`select count(*) from ${name}('a')`, `insert into ${name}(${name}) values ('delete-all')`]
}

async function emptyDatabase(database: D1Database, statements: readonly string[]): Promise<void> {
  await database.batch(['pragma defer_foreign_keys = on', ...statements].map((each) => database.prepare(each)))
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
 * Creates all databases. `reset()` alone misses databases that were idle for ten seconds: the runtime has unloaded
 * them, and `reset()` only deletes loaded ones. Therefore each is used first.
 */
async function makeStorage(): Promise<string[]> {
  await Promise.all([
    ...DATABASES.map((database) => database.prepare('select 1').run()),
    env.SEEN_JTI.list(),
    env.DOCUMENTS.list(),
  ])
  await reset()
  await Promise.all(DATABASES.map((database) => applyD1Migrations(database, env.TEST_MIGRATIONS)))
  await env.DB.prepare('insert into deployment (number, deployment_id) values (1, ?)').bind(DEPLOYMENT_ID).run()
  await env.DOCUMENTS.put(MARK_KEY, DEPLOYMENT_ID)
  const tables = await env.DB.prepare(
    `select l.name, l.type from pragma_table_list l join sqlite_master m on m.name = l.name
      where l.schema = 'main' and l.type in ('table', 'virtual') and m.sql not like '% using fts5vocab(%'
        and l.name <> 'd1_migrations' and l.name not like '\\_cf\\_%' escape '\\'`,
  ).all<{ name: string; type: string }>()
  return tables.results.flatMap(emptyingOf)
}

async function empty(): Promise<void> {
  if (emptying === undefined) {
    emptying = await makeStorage()
    return
  }
  const statements = emptying
  await Promise.all([
    ...DATABASES.map((database) => emptyDatabase(database, statements)),
    emptyNamespace(env.SEEN_JTI),
    emptyBucket(env.DOCUMENTS),
  ])
}

let last: Promise<void> = Promise.resolve()

/**
 * Empties all databases, and deletes all keys and objects. Much faster than recreating the databases. Waits for the
 * previous call: a hook that timed out continues to run next to the next test.
 */
export function emptyStorage(): Promise<void> {
  last = last.catch(() => undefined).then(empty)
  return last
}
