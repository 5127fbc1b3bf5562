import { createHash } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { boundDatabases } from '../../scripts/database/bindings.mjs'
import { linesOf, load } from '../../scripts/database/load.mjs'
import { localResources, openLocal } from '../../scripts/database/local.mjs'
import { migrate } from '../../scripts/database/migrate.mjs'
import { requireEmpty } from '../../scripts/database/restore-target.mjs'
import { databaseIdOf } from '../../scripts/database/target.mjs'
import { openForWriting, openThroughWrangler } from '../../scripts/files/bucket.mjs'
import { backUpFiles } from '../../scripts/files/copy.mjs'
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
  `INSERT INTO "uploads" ("upload_id", "workspace_id", "type", "noted_at", "created_at", "created_by", "by_program", "mode", "outcome", "message", "error_count", "errors", "revision", "request_id", "last_at", "expires_at", "held_for", "held_until", "content_type", "stored_bytes", "sha256") ` +
  `VALUES ('${id}','north','medication',1,1,'a client',1,'reconcile','${outcome}','m',0,'[]',0,'r',1,9,'dry_run',9,'text/csv',${BYTES.length},'${sha256(BYTES)}');`

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

const documentsIn = (state) =>
  Promise.all(
    boundDatabases().map((binding) =>
      withDatabase(state, binding, ({ read }) =>
        read("SELECT workspace_id || '/' || document_id FROM documents ORDER BY 1"),
      ),
    ),
  )

const bytesIn = (state) => withBucket(state, (bucket) => Promise.all(KEYS.map((key) => bucket.get(key))))

describe('a backup of all databases', () => {
  it('holds the documents and the files that wait, readable by its owner only, and a restore brings back those that are whole', async () => {
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
    expect(await readFile(file, 'utf8')).toMatch(
      /^-- Dataset Catalog Service \S+, migrations up to \S+\.sql\n/,
    )

    const whole = path.join(directory, 'whole')
    const restored = await run('restore.mjs', ['--persist-to', whole, file])
    expect(restored.code, restored.output).toBe(0)
    expect(await documentsIn(whole)).toEqual(await documentsIn(state))
    expect(await bytesIn(whole)).toEqual(KEYS.map(() => BYTES))

    // Nothing is changed in a state with data, and nobody is told to delete it.
    const refused = await run('restore.mjs', ['--persist-to', whole, file])
    expect(refused.code).toBe(1)
    expect(refused.output).toContain(
      'DB already holds data (documents, uploads, workspace_quotas). Nothing was changed.',
    )
    expect(refused.output).not.toContain('delete')

    await rm(path.join(files, KEYS[0]))
    await writeFile(path.join(files, KEYS[2]), 'other bytes')
    const partial = path.join(directory, 'partial')
    const damaged = await run('restore.mjs', ['--persist-to', partial, file])
    expect(damaged.code).toBe(1)
    expect(damaged.output).toContain(`missing: documents ${KEYS[0]}\ndamaged: documents ${KEYS[2]}\n`)
    expect(damaged.output).not.toContain('delete')
    expect(await documentsIn(partial)).toEqual(await documentsIn(state))
    expect(await bytesIn(partial)).toEqual([undefined, BYTES, undefined, BYTES])

    await writeFile(path.join(files, KEYS[0]), BYTES)
    await writeFile(path.join(files, KEYS[2]), BYTES)
    const again = await run('restore.mjs', ['--documents', '--persist-to', partial, file])
    expect(again.code, again.output).toBe(0)
    expect(await bytesIn(partial)).toEqual(KEYS.map(() => BYTES))
  })

  it('is refused as a whole if one of the databases has data', async () => {
    const directory = await scratch()
    const file = path.join(directory, 'catalog.sql')
    await writeFile(file, '')
    await writeFile(path.join(directory, 'catalog.DB_2.sql'), '')
    const state = path.join(directory, 'state')
    await withDatabase(state, 'DB_2', async (database) => {
      await database.batch([
        'CREATE TABLE documents (id PRIMARY KEY)',
        "INSERT INTO documents VALUES ('one')",
      ])
    })
    const refused = await run('restore.mjs', ['--persist-to', state, file])
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('DB_2 already holds data (documents). Nothing was changed.')
    await withDatabase(state, 'DB', async ({ read }) => {
      expect(await read("SELECT count(*) FROM sqlite_schema WHERE name = 'documents'")).toEqual([[0]])
    })
  })
})

it('a restore is refused for a database that an interrupted restore has left without triggers', async () => {
  await withDatabase(await scratch(), 'DB', async (database) => {
    await migrate(database)
    await requireEmpty(database, 'DB')
    const triggers = await database.read("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    await database.batch(triggers.map(([name]) => `DROP TRIGGER ${name}`))
    await expect(requireEmpty(database, 'DB')).rejects.toThrow('DB is what an interrupted restore has left.')
  })
})

describe('the documents of a backup', () => {
  it('leave it if they were deleted meanwhile, and are named if the service has lost or damaged them', async () => {
    const sql = path.join(await scratch(), 'backup.sql')
    const ids = ['kept', 'deleted', 'lost', 'damaged']
    await writeFile(sql, `${ids.map((id) => documentRow('north', id)).join('\n')}\n`)
    await withDatabase(await scratch(), 'DB', async (database) => {
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
    })
    await withDatabase(await scratch(), 'DB', async (database) => {
      await migrate(database)
      const tables = [{ name: 'documents', columns: [], key: [] }]
      await load(database, () => linesOf(sql), tables)
      expect(await database.read('SELECT document_id FROM documents ORDER BY 1')).toEqual([
        ['damaged'],
        ['kept'],
        ['lost'],
      ])
    })
  })

  it('are read and written one by one through wrangler too', async () => {
    const target = { stateDirectory: await scratch(), remote: false }
    const bucket = await openThroughWrangler(target, { name: 'dataset-catalog-documents' })
    try {
      await bucket.put('north/one', BYTES, 'application/pdf')
      expect(await bucket.get('north/one')).toEqual(BYTES)
      expect(await bucket.get('north/two')).toBeUndefined()
    } finally {
      await bucket.close()
    }
  })
})

describe('a backup of an earlier release', () => {
  it('gets the tables that it had, its rows, and then the later migrations', async () => {
    const state = await scratch()
    const file = path.join(root, 'test/fixtures/databases/0005.sql')
    const restored = await run('restore.mjs', ['--database', 'DB', '--persist-to', state, file])
    // These releases wrote no documents.
    expect(restored.code).toBe(1)
    expect(restored.output).toContain('Restored 2 workspaces and 19 records.')
    expect(restored.output).toContain('missing: documents demo/')
    await withDatabase(state, 'DB', async ({ read }) => {
      expect(
        await read('SELECT sum(total_records), min(stored_bytes > 0) FROM catalogs WHERE total_records > 0'),
      ).toEqual([[19, 1]])
      expect(await read('SELECT count(*) > 0 FROM search_word_lists')).toEqual([[1]])
    })
  })

  it('is refused if a later release wrote it', async () => {
    const directory = await scratch()
    const file = path.join(directory, 'catalog.sql')
    await writeFile(file, '-- Dataset Catalog Service 9.0.0, migrations up to 9999_later.sql\n')
    const state = path.join(directory, 'state')
    const refused = await run('restore.mjs', ['--database', 'DB', '--persist-to', state, file])
    expect(refused).toEqual({
      code: 1,
      output: `${file} is a backup of release 9.0.0 with the migration 9999_later.sql, which this release does not have. Restore it with that release.\n`,
    })
  })
})

it.each([
  ['backup.mjs', [], 'Name one file: npm run backup -- '],
  ['restore.mjs', [], 'Name one file: npm run restore -- '],
  [
    'restore.mjs',
    ['/nowhere/catalog.sql'],
    'There is no file /nowhere/catalog.sql for DB. Nothing was changed.',
  ],
  ['backup.mjs', ['/nowhere/catalog.sql'], 'There is no folder /nowhere for the backup.'],
  ['backup.mjs', ['/'], 'is a folder.'],
  ['restore.mjs', ['--env', 'nowhere', 'x.sql'], 'binds no databases in the environment nowhere.'],
  ['restore.mjs', ['--database', 'DB_9', 'x.sql'], 'wrangler.toml binds no database as DB_9.'],
  ['restore.mjs', ['--local', '--remote', 'x.sql'], 'Choose one of --local and --remote.'],
])('%s %j says what is wrong, and not to delete anything', async (script, args, message) => {
  const { code, output } = await run(script, args)
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(output).not.toContain('delete')
})
