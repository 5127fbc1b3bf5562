import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '../../scripts/backup/compare.mjs'
import { writtenParts } from '../../scripts/backup/parts.mjs'
import { restore } from '../../scripts/backup/restore.mjs'
import { boundDatabases } from '../../scripts/database/bindings.mjs'
import { linesOf, load } from '../../scripts/database/load.mjs'
import { localResources, openLocal } from '../../scripts/database/local.mjs'
import { migrate } from '../../scripts/database/migrate.mjs'
import { migrationOf } from '../../scripts/database/older-backup.mjs'
import { openTrial, requireEmpty, restoreRows } from '../../scripts/database/restore-target.mjs'
import { openSqlite } from '../../scripts/database/sqlite.mjs'
import { databaseIdOf, parseTarget } from '../../scripts/database/target.mjs'
import { openForWriting } from '../../scripts/files/bucket.mjs'
import { backUpFiles } from '../../scripts/files/copy.mjs'
import { filesOf } from '../../scripts/files/stored-files.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { runScript, scratch } from './support.mjs'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])

const documentRow = (workspace, id) =>
  `INSERT INTO "documents" ("workspace_id", "document_id", "size_bytes", "content_type", "sha256", "tasks", "created_by", "created_at") ` +
  `VALUES ('${workspace}','${id}',${BYTES.length},'application/pdf','${sha256(BYTES)}','[]','a client',1);`

async function withDatabase(stateDirectory, binding, work) {
  const database = await openLocal(localResources(stateDirectory), databaseIdOf({ database: binding }))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function withBucket(stateDirectory, work) {
  const bucket = await openForWriting({ stateDirectory, remote: false })
  try {
    return await work(bucket)
  } finally {
    await bucket.close()
  }
}

/** A local state with documents of two workspaces, one in each database, and a file that waits. */
const DOCUMENTS = { DB: ['north/one', 'north/two'], DB_2: ['south/three'] }
const HELD = '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11'
const KEYS = [...Object.values(DOCUMENTS).flat(), `_uploads/${HELD}`]

/** Only one that waits has a file. */
const uploadRow = (id, outcome) =>
  `INSERT INTO "uploads" ("upload_id", "catalog_id", "received_at", "created_at", "created_by", "by_program", "mode", "outcome", "message", "revision", "request_id", "held_for", "held_until", "content_type", "size_bytes", "sha256") ` +
  `VALUES ('${id}',1,1,1,'a client',1,'reconcile','${outcome}','m',0,'r','dry_run',9,'text/csv',${BYTES.length},'${sha256(BYTES)}');`

async function makeState() {
  const state = path.join(await scratch(), 'state')
  for (const binding of boundDatabases()) {
    await withDatabase(state, binding, async (database) => {
      await migrate(database)
      await database.batch(DOCUMENTS[binding].map((key) => documentRow(...key.split('/'))))
      if (binding === 'DB') await database.batch([uploadRow(HELD, 'held'), uploadRow('other', 'discarded')])
    })
  }
  await withBucket(state, async (bucket) => {
    for (const key of KEYS) await bucket.put(key, BYTES, 'application/pdf')
  })
  return state
}

async function run(script, args) {
  const { ended, output } = runScript(script, args)
  const code = await ended
  return { code, output: output() }
}

const localTo = (stateDirectory) => ({ stateDirectory, remote: false, environment: undefined })
const silently = () => undefined

it('a backup of all databases holds the documents and the files that wait, for its owner alone, and a restore brings them back', async () => {
  const state = await makeState()
  const directory = await scratch()
  const file = path.join(directory, 'catalog.sql')
  const files = path.join(directory, 'catalog.files')
  const written = await run('backup.mjs', ['--persist-to', state, file])
  expect(written.code, written.output).toBe(0)
  for (const key of KEYS) expect(await readFile(path.join(files, key))).toEqual(BYTES)
  for (const name of [file, path.join(directory, 'catalog.DB_2.sql'), path.join(files, KEYS[0])]) {
    expect((await stat(name)).mode & 0o777, name).toBe(0o600)
  }
  expect(await readFile(file, 'utf8')).toMatch(/^-- Dataset Catalog Service \S+, migrations up to \S+\.sql\n/)

  const whole = path.join(directory, 'whole')
  const restored = await run('restore.mjs', ['--persist-to', whole, file])
  expect(restored.code, restored.output).toBe(0)
  const same = await run('restore.mjs', ['--check', '--persist-to', whole, file])
  expect(same.output).toContain('and the bytes of 3 documents.')
  expect(same.code, same.output).toBe(0)

  // Nothing is changed in a state with data, and nobody is told to delete it.
  await expect(restore(localTo(whole), file, {}, silently)).rejects.toThrow(
    /^DB already holds data \(documents, uploads, workspace_quotas\)\. Nothing was changed\. (?!.*delete)/,
  )

  await withBucket(whole, (bucket) => bucket.put(KEYS[0], Buffer.from('other bytes'), 'application/pdf'))
  await withDatabase(whole, 'DB', (database) =>
    database.batch(["DELETE FROM documents WHERE document_id = 'two'"]),
  )
  await expect(compare(localTo(whole), file, 'DB', silently)).rejects.toThrow(
    /DB: documents: 2 rows in the backup, 1 in the service\n(?:DB: .*\n)*damaged in the service: documents north\/one$/,
  )
})

it('a restore is refused as a whole if one of the databases has data', async () => {
  const directory = await scratch()
  const file = path.join(directory, 'catalog.sql')
  await writeFile(file, '')
  await writeFile(path.join(directory, 'catalog.DB_2.sql'), '')
  const state = path.join(directory, 'state')
  await withDatabase(state, 'DB_2', async (database) => {
    await database.batch(['CREATE TABLE documents (id PRIMARY KEY)', "INSERT INTO documents VALUES ('one')"])
  })
  await expect(restore(localTo(state), file, {}, silently)).rejects.toThrow(
    'DB_2 already holds data (documents). Nothing was changed.',
  )
  await withDatabase(state, 'DB', async ({ read }) => {
    expect(await read("SELECT count(*) FROM sqlite_schema WHERE name = 'documents'")).toEqual([[0]])
  })
})

it('a restore is refused for a database that an interrupted restore has left without triggers', async () => {
  const database = openSqlite()
  await migrate(database)
  await requireEmpty(database, 'DB')
  const triggers = await database.read("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
  await database.batch(triggers.map(([name]) => `DROP TRIGGER ${name}`))
  await expect(requireEmpty(database, 'DB')).rejects.toThrow('DB is what an interrupted restore has left.')
})

it('documents leave a backup if they were deleted meanwhile, and are named if the service has lost or damaged them', async () => {
  const sql = path.join(await scratch(), 'backup.sql')
  const ids = ['kept', 'deleted', 'lost', 'damaged']
  await writeFile(sql, `${ids.map((id) => documentRow('north', id)).join('\n')}\n`)
  const database = openSqlite()
  await migrate(database)
  await database.batch(ids.map((id) => documentRow('north', id)))
  const contents = { 'north/kept': BYTES, 'north/damaged': Buffer.from('other bytes') }
  const bucket = {
    get: async (key) => {
      // Another request deletes it while the backup runs.
      await database.batch(["DELETE FROM documents WHERE document_id = 'deleted'"])
      return contents[key]
    },
  }
  const copied = await backUpFiles(database.read, sql, bucket, path.join(path.dirname(sql), 'files'))
  expect(copied.files).toBe(1)
  expect(copied.missing.map(({ key }) => key)).toEqual(['north/lost'])
  expect(copied.damaged.map(({ key }) => key)).toEqual(['north/damaged'])

  const other = openSqlite()
  await migrate(other)
  await load(other, () => linesOf(sql), [{ name: 'documents', columns: [], key: [] }])
  expect(await other.read('SELECT document_id FROM documents ORDER BY 1')).toEqual([
    ['damaged'],
    ['kept'],
    ['lost'],
  ])
})

describe('a backup of an earlier release', () => {
  const withoutColumns = (text) => text.replaceAll(/^(INSERT INTO "\w+") \([^)]*\) VALUES /gm, '$1 VALUES')

  it.each([
    ['0005', 'its columns', '0005_browser_login.sql', (text) => text],
    ['0005', 'no columns, as exports once were,', '0005_browser_login.sql', withoutColumns],
    ['0006', 'no columns, as exports once were,', '0006_column_names.sql', withoutColumns],
  ])(
    '(%s) that names %s gets the tables that it had, its rows, and then the later migrations',
    async (release, _, last, changed) => {
      const file = path.join(await scratch(), 'catalog.sql')
      const fixture = path.join(root, 'test/fixtures/databases', `${release}.sql`)
      await writeFile(file, changed(await readFile(fixture, 'utf8')))
      expect(await migrationOf(file)).toBe(last)
      const database = openTrial(path.join(path.dirname(file), 'trial.sqlite'))
      await restoreRows(database, file, last)
      expect(await database.read('SELECT count(*) FROM workspaces')).toEqual([[2]])
      expect(
        await database.read(
          'SELECT sum(total_records) AS total, min(stored_bytes > 0) AS counted FROM catalogs WHERE total_records > 0',
        ),
      ).toEqual([[19, 1]])
      expect(await database.read('SELECT count(*) > 0 AS listed FROM search_word_lists')).toEqual([[1]])
      expect((await filesOf(file, database.read)).map(({ key }) => key)).toEqual([
        expect.stringMatching(/^demo\//),
      ])
    },
  )

  it('is refused if a later release wrote it', async () => {
    const file = path.join(await scratch(), 'catalog.sql')
    await writeFile(file, '-- Dataset Catalog Service 9.0.0, migrations up to 9999_later.sql\n')
    await expect(writtenParts(localTo('/nowhere'), file, 'DB')).rejects.toThrow(
      `${file} is a backup of release 9.0.0 with the migration 9999_later.sql, which this release does not have. Restore it with that release.`,
    )
  })
})

it.each([
  ['backup', [], 'Name one file: npm run backup -- '],
  ['restore', [], 'Name one file: npm run restore -- '],
  ['restore', ['--env', 'nowhere', 'x.sql'], 'binds no databases in the environment nowhere.'],
  ['restore', ['--database', 'DB_9', 'x.sql'], 'wrangler.toml binds no database as DB_9.'],
  ['restore', ['--local', '--remote', 'x.sql'], 'Choose one of --local and --remote.'],
])('%s %j says what is wrong', (command, args, message) => {
  expect(() => parseTarget(command, args)).toThrow(message)
})

it.each([
  ['backup.mjs', ['/nowhere/catalog.sql'], 'There is no folder /nowhere for the backup.'],
  ['backup.mjs', ['/'], 'is a folder.'],
  [
    'restore.mjs',
    ['/nowhere/catalog.sql'],
    'There is no file /nowhere/catalog.sql for DB. Nothing was changed.',
  ],
])('%s %j says what is wrong, and not to delete anything', async (script, args, message) => {
  const { code, output } = await run(script, args)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(output).not.toContain('delete')
})
