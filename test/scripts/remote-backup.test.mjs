import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compare } from '../../scripts/backup/compare.mjs'
import { backUp } from '../../scripts/backup.mjs'
import { documentsBucket, readConfiguration } from '../../scripts/configuration.mjs'
import { MIGRATIONS, textOfMigration } from '../../scripts/database/migrate.mjs'
import { move } from '../../scripts/move.mjs'
import { restore } from '../../scripts/restore.mjs'
import { TOKEN } from './platform/project.mjs'
import { Platform } from './platform/stand-in.mjs'

const PRODUCTION = { remote: true, environment: undefined, stateDirectory: '/nowhere' }
const SANDBOX = { ...PRODUCTION, environment: 'sandbox' }

/** Workspaces of the control database. */
const WORKSPACES = `INSERT INTO workspaces (workspace_id, name, created_at, database_binding)
  VALUES ('north', 'North', 1, 'DB'), ('south', 'South', 1, 'DB_2');`

const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Longer than a statement may be, with all that is hard to quote. */
const UNIT = "🧪 it's, (a) long\ntext\r\n"
const LONG = UNIT.repeat(5000)

/** A statement of D1 has so many rows, if they are short, that SQLite could not compile it. */
const SHORT_ROWS = 5000

const databasesOf = ({ environment }) => readConfiguration(environment).d1_databases
const idOf = (place, binding) => databasesOf(place).find((each) => each.binding === binding).database_id

/** @type {Platform} */
let platform
let folder
beforeAll(async () => {
  platform = await Platform.start(
    [PRODUCTION, SANDBOX].flatMap((place) => databasesOf(place).map((each) => each.database_id)),
  )
  Object.assign(process.env, { CLOUDFLARE_API_BASE_URL: platform.origin, CLOUDFLARE_API_TOKEN: TOKEN })
})
afterAll(async () => {
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

const query = async (place, binding, sql) => (await platform.sql.query(idOf(place, binding), sql)).at(-1).results

const objectOf = ({ environment }, key) => `${documentsBucket(readConfiguration(environment)).name}/${key}`

const documentRow = (workspace, id) =>
  `INSERT INTO documents (workspace_id, document_id, size_bytes, content_type, sha256, tasks, created_by, created_at)
    VALUES ('${workspace}', '${id}', ${BYTES.length}, 'application/pdf', '${sha256(BYTES)}', '[]', 'a client', 1)`

const DOCUMENTS = { DB: ['north', 'one'], DB_2: ['south', 'two'] }

/** A service with many rows, one of them long, and a document in each database. */
async function fill(place) {
  for (const [binding, [workspace, id]] of Object.entries(DOCUMENTS)) {
    const statements = [
      ...MIGRATIONS.map(textOfMigration),
      'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);',
      ...MIGRATIONS.map((name) => `INSERT INTO d1_migrations (name) VALUES ('${name}');`),
      ...(binding === 'DB' ? [WORKSPACES] : []),
      `${documentRow(workspace, id)};`,
      `WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${SHORT_ROWS})
        INSERT INTO clients (client_id, name, secret_hash, created_at) SELECT n, 'n', 's', 1 FROM numbers;`,
      `INSERT INTO clients (client_id, name, secret_hash, created_at)
        VALUES ('long', replace(hex(zeroblob(5000)), '00', '${UNIT.replaceAll("'", "''").replace('\n', "' || char(10) || '").replace('\r\n', "' || char(13, 10) || '")}'), 's', 1);`,
    ]
    await platform.sql.query(idOf(place, binding), statements.join('\n'))
    platform.objects.set(objectOf(place, `${workspace}/${id}`), BYTES)
  }
}

const silently = () => undefined

describe('a backup of a deployed service', () => {
  let file
  beforeAll(async () => {
    await fill(PRODUCTION)
    folder = await mkdtemp(path.join(tmpdir(), 'scripts-test-'))
    file = path.join(folder, 'catalog.sql')
    await backUp(PRODUCTION, file, silently)
  })

  it('has statements that D1 takes, with rows of any length, and documents, for its owner alone', async () => {
    const lines = (await readFile(file, 'utf8')).split('\n')
    const lengths = lines.map((line) => Buffer.byteLength(line))
    expect(Math.max(...lengths)).toBeGreaterThan(40_000)
    expect(Math.max(...lengths)).toBeLessThan(100_000)
    // Rows are packed: an import with a statement for each was reported to die.
    expect(lines.filter((line) => line.startsWith('INSERT INTO "clients"')).length).toBeLessThan(6)
    const names = ['catalog.sql', 'catalog.DB_2.sql', 'catalog.files/north/one', 'catalog.files/south/two']
    for (const name of names) expect((await stat(path.join(folder, name))).mode & 0o777, name).toBe(0o600)
    expect(await readFile(path.join(folder, names[3]))).toEqual(BYTES)
  })

  it('is asked for again if the API puts a call off', () => {
    const calls = platform.requests.filter(({ path: address }) => address.endsWith('/objects/north/one'))
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  it('is rehearsed in the sandbox: restored there, and compared with it, with documents that are restored again', async () => {
    const [one, two] = ['north/one', 'south/two'].map((name) => path.join(folder, 'catalog.files', name))
    await rm(one)
    await writeFile(two, 'other bytes')
    const mark = objectOf(SANDBOX, '_deployment')
    platform.objects.set(mark, Buffer.from('another'))
    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow('The bucket belongs to another deployment')
    platform.objects.delete(mark)
    platform.objects.set(objectOf(SANDBOX, 'south/one'), BYTES)
    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow('add --adopt-bucket')
    await expect(restore(SANDBOX, file, { adoptBucket: true }, silently)).rejects.toThrow(
      /Everything else is restored\.\nmissing: documents north\/one\ndamaged: documents south\/two$/,
    )
    expect(platform.objects.has(objectOf(SANDBOX, 'north/one'))).toBe(false)
    expect(platform.objects.get(mark).toString()).toBe('free')
    for (const name of [one, two]) await writeFile(name, BYTES)
    await restore(SANDBOX, file, { documentsOnly: true }, silently)
    expect(platform.objects.get(objectOf(SANDBOX, 'north/one'))).toEqual(BYTES)

    const said = []
    await compare(SANDBOX, file, (text) => said.push(text))
    expect(said.join('\n')).toMatch(/^DB: 5,\d+ rows of 1 workspace compared, and the bytes of 1 document\.$/m)
    expect(said.at(-1)).toBe('The service is as in the backup.')
    expect(await query(SANDBOX, 'DB', "SELECT name FROM clients WHERE client_id = 'long'")).toEqual([{ name: LONG }])
    const triggers = "SELECT count(*) AS triggers FROM sqlite_schema WHERE type = 'trigger'"
    expect(await query(SANDBOX, 'DB', triggers)).toEqual(await query(PRODUCTION, 'DB', triggers))
    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow('DB already holds data')
  })
})

it('a workspace is moved to another deployed database through the API', async () => {
  const run = (sql) => platform.sql.query(idOf(PRODUCTION, 'DB'), sql)
  await run("INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('west', 'West', 1);")
  await run("INSERT INTO workspace_quotas (workspace_id, records) VALUES ('west', 7);")
  await move(['--remote', '--wait', '0', 'west', 'DB_2'])
  expect(
    await query(
      PRODUCTION,
      'DB',
      "SELECT database_binding, old_database, state FROM workspaces WHERE workspace_id = 'west'",
    ),
  ).toEqual([{ database_binding: 'DB_2', old_database: 'DB', state: 'active' }])
  const quota = "SELECT records FROM workspace_quotas WHERE workspace_id = 'west'"
  expect(await query(PRODUCTION, 'DB_2', quota)).toEqual([{ records: 7 }])
})
