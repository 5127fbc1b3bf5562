import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backUp } from '../../scripts/backup/back-up.mjs'
import { compare } from '../../scripts/backup/compare.mjs'
import { restore } from '../../scripts/backup/restore.mjs'
import { bucketBinding, databaseBindings } from '../../scripts/database/bindings.mjs'
import { linesOf } from '../../scripts/database/load.mjs'
import { migrate } from '../../scripts/database/migrate.mjs'
import { startStandIn } from './cloudflare.mjs'
import { scratch } from './support.mjs'

const PRODUCTION = { remote: true, environment: undefined, stateDirectory: '/nowhere' }
const SANDBOX = { ...PRODUCTION, environment: 'sandbox' }

const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** Longer than a statement may be, with all that is hard to quote. */
const LONG = "🧪 it's, (a) long\ntext\r\n".repeat(5000)

let cloudflare
beforeAll(async () => {
  cloudflare = await startStandIn()
})
afterAll(() => cloudflare.close())

const databaseOf = ({ environment }, binding) =>
  cloudflare.database(databaseBindings(environment).find((each) => each.binding === binding).id)

const objectOf = ({ environment }, key) => `${bucketBinding(environment).name}/${key}`

const document = (id) =>
  `INSERT INTO documents (workspace_id, document_id, size_bytes, content_type, sha256, tasks, created_by, created_at)
    VALUES ('north', '${id}', ${BYTES.length}, 'application/pdf', '${sha256(BYTES)}', '[]', 'a client', 1)`

const DOCUMENTS = { DB: 'one', DB_2: 'two' }

/** A service with a long record and a document in each database. */
async function fill(place) {
  for (const [binding, id] of Object.entries(DOCUMENTS)) {
    const sqlite = databaseOf(place, binding)
    await migrate({
      read: async (sql) => sqlite.prepare(sql).all().map(Object.values),
      batch: async (statements) => sqlite.exec(statements.join(';\n')),
    })
    sqlite.exec(document(id))
    sqlite.exec("INSERT INTO catalogs (catalog_id, workspace_id, type) VALUES (1, 'north', 'medication')")
    sqlite
      .prepare(
        `INSERT INTO records (row_id, catalog_id, record_id, is_active, updated_at, place, state_before, text_changed,
          name_length, search_text, codes, data) VALUES (68719476736, 1, 'A', 1, 1, 0, 0, 1, 1, ?, '', ?)`,
      )
      .run(LONG, JSON.stringify([LONG, 0, LONG]))
    cloudflare.objects.set(objectOf(place, `north/${id}`), BYTES)
  }
}

const rowsOf = (place, table) =>
  Object.keys(DOCUMENTS).map((binding) => databaseOf(place, binding).prepare(`SELECT * FROM ${table}`).all())

const silently = () => undefined

describe('a backup of a deployed service', () => {
  let file
  beforeEach(async () => {
    cloudflare.databases.clear()
    cloudflare.objects.clear()
    cloudflare.calls.length = 0
    file = path.join(await scratch(), 'catalog.sql')
    await fill(PRODUCTION)
    await backUp(PRODUCTION, file, undefined, silently)
  })

  it('has rows of any length in pieces, and documents, for its owner alone', async () => {
    let longest = 0
    for await (const line of linesOf(file)) longest = Math.max(longest, Buffer.byteLength(line))
    expect(longest).toBeGreaterThan(40_000)
    expect(longest).toBeLessThan(100_000)
    const names = ['catalog.sql', 'catalog.DB_2.sql', 'catalog.files/north/one', 'catalog.files/north/two']
    for (const name of names) {
      expect((await stat(path.join(path.dirname(file), name))).mode & 0o777, name).toBe(0o600)
    }
    expect(await readFile(path.join(path.dirname(file), names[3]))).toEqual(BYTES)
  })

  it('is rehearsed in the sandbox: restored there, and compared with it', async () => {
    await restore(SANDBOX, file, {}, silently)
    for (const table of ['records', 'documents', 'catalogs', 'd1_migrations'])
      expect(
        rowsOf(SANDBOX, table).map((rows) => rows.map(withoutTime)),
        table,
      ).toEqual(rowsOf(PRODUCTION, table).map((rows) => rows.map(withoutTime)))
    expect(cloudflare.objects.get(objectOf(SANDBOX, 'north/two'))).toEqual(BYTES)
    // The triggers are there again.
    const triggers = "SELECT count(*) AS triggers FROM sqlite_schema WHERE type = 'trigger'"
    expect(databaseOf(SANDBOX, 'DB').prepare(triggers).get()).toEqual(
      databaseOf(PRODUCTION, 'DB').prepare(triggers).get(),
    )
    const said = []
    await compare(SANDBOX, file, undefined, (text) => said.push(text))
    expect(said.join('\n')).toMatch(/^DB: \d+ tables with \d+ rows compared, and the bytes of 1 document\.$/m)
    expect(said.at(-1)).toBe('The service is as in the backup.')

    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow('DB already holds data')
  })

  it('is compared with the service, table by table and document by document', async () => {
    const sqlite = databaseOf(PRODUCTION, 'DB_2')
    sqlite.exec("UPDATE records SET data = replace(data, 'long', 'lost')")
    sqlite.exec(document('three'))
    cloudflare.objects.set(objectOf(PRODUCTION, 'north/one'), Buffer.from('other bytes'))
    cloudflare.objects.delete(objectOf(PRODUCTION, 'north/two'))
    await rm(path.join(path.dirname(file), 'catalog.files', 'north', 'one'))
    await expect(compare(PRODUCTION, file, undefined, silently)).rejects.toThrow(
      [
        'The service is not as in the backup:',
        'missing in the backup: documents north/one',
        'damaged in the service: documents north/one',
        'DB_2: documents: 1 row in the backup, 2 in the service',
        'DB_2: records: 1 row in both, and not the same',
        'DB_2: workspace_quotas: 1 row in both, and not the same',
        'missing in the service: documents north/two',
      ].join('\n'),
    )
  })

  it('leaves a database empty if D1 refuses it, and says so', async () => {
    await writeFile(file, `${await readFile(file, 'utf8')}INSERT INTO "records" VALUES (1);\n`)
    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow(
      /^table records has \d+ columns but 1 values were supplied\nDB is still empty\.$/,
    )
    expect(databaseOf(SANDBOX, 'DB').prepare('SELECT * FROM documents').all()).toEqual([])
  })

  it('names documents that are missing or damaged, restores the rest, and those again with documentsOnly', async () => {
    const folder = path.join(path.dirname(file), 'catalog.files', 'north')
    await rm(path.join(folder, 'one'))
    await writeFile(path.join(folder, 'two'), 'other bytes')
    await expect(restore(SANDBOX, file, {}, silently)).rejects.toThrow(
      /Everything else is restored\.\nmissing: documents north\/one\ndamaged: documents north\/two$/,
    )
    expect(rowsOf(SANDBOX, 'documents').flat()).toHaveLength(2)
    expect(cloudflare.objects.has(objectOf(SANDBOX, 'north/one'))).toBe(false)
    await mkdir(folder, { recursive: true })
    for (const name of ['one', 'two']) await writeFile(path.join(folder, name), BYTES)
    await restore(SANDBOX, file, { documentsOnly: true }, silently)
    expect(cloudflare.objects.get(objectOf(SANDBOX, 'north/one'))).toEqual(BYTES)
  })

  it('is repeated call by call if the API puts calls off', () => {
    const objects = cloudflare.calls.filter(({ path: address }) => address.endsWith('/objects/north/one'))
    expect(objects).toEqual([
      expect.objectContaining({ method: 'GET' }),
      expect.objectContaining({ method: 'GET' }),
    ])
  })
})

const withoutTime = ({ applied_at: _, ...row }) => row
