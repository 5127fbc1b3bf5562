import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '../../scripts/backup/compare.ts'
import { copyRows } from '../../scripts/backup/copy.ts'
import { NewSet } from '../../scripts/backup/new-set.ts'
import { backUp } from '../../scripts/backup.mjs'
import { localDatabaseIds, readConfiguration } from '../../scripts/configuration.mjs'
import { loadBackup, partName, writeBackup } from '../../scripts/database/backup-file.ts'
import { describeTables, digestsOf } from '../../scripts/database/dump.ts'
import { databaseFile, localResources } from '../../scripts/database/local.ts'
import { migrate } from '../../scripts/database/migrate.ts'
import { openSqlite, withoutTriggers } from '../../scripts/database/sqlite.ts'
import { partsOf } from '../../scripts/database/target.ts'
import { digestOf, unitsIn } from '../../scripts/database/units.ts'
import { openForWriting } from '../../scripts/files/bucket.ts'
import { claim } from '../../scripts/files/bucket-mark.ts'
import { backUpFiles } from '../../scripts/files/files.ts'
import { restore } from '../../scripts/restore.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { scratch } from './support.mjs'

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])

/** An SQL statement that inserts a row: the columns and their values. */
function insertion(table, row) {
  const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))
  return `INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.values(row).map(literal)});`
}

const documentRow = (workspace_id, document_id) =>
  insertion('documents', {
    ...{ workspace_id, document_id, size_bytes: BYTES.length, content_type: 'application/pdf' },
    ...{ sha256: sha256(BYTES), tasks: '[]', created_by: 'a client', created_at: 1 },
  })

/** A row of a table with its required columns: `given`, and some value in the others. */
function rowWith({ read }, table, given) {
  const columns = read(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info('${table}')`)
  const needed = columns.filter(([name, , required, byDefault]) => required && byDefault === null && !(name in given))
  return insertion(table, {
    ...Object.fromEntries(needed.map(([name, type]) => [name, /int/i.test(type) ? 1 : 'x'])),
    ...given,
  })
}

const fileIn = (stateDirectory, binding) =>
  databaseFile(localResources(stateDirectory), localDatabaseIds(readConfiguration()).get(binding))

async function withDatabase(stateDirectory, binding, work) {
  const file = fileIn(stateDirectory, binding)
  await mkdir(path.dirname(file), { recursive: true })
  const database = openSqlite(file)
  try {
    return await work(database)
  } finally {
    database.close()
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

/** A local state with documents of two workspaces, one in each database, and a pending upload. */
const DOCUMENTS = { DB: ['north/one', 'north/two'], DB_2: ['south/three'] }
const HELD = '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11'
const KEYS = [...Object.values(DOCUMENTS).flat(), `_uploads/${HELD}`]

async function makeState() {
  const state = path.join(await scratch(), 'state')
  for (const [binding, keys] of Object.entries(DOCUMENTS)) {
    await withDatabase(state, binding, async (database) => {
      await migrate(database, binding)
      for (const key of keys) database.run(documentRow(...key.split('/')))
      if (binding !== 'DB') return
      for (const [database_binding, [key]] of Object.entries(DOCUMENTS))
        database.run(
          rowWith(database, 'workspaces', { workspace_id: key.split('/')[0], state: 'active', database_binding }),
        )
      database.run(rowWith(database, 'catalogs', { catalog_id: 1, workspace_id: 'north', type: 'medication' }))
      // Only a pending upload has a file.
      for (const [upload_id, outcome] of [
        [HELD, 'held'],
        ['other', 'discarded'],
      ]) {
        const given = {
          upload_id,
          outcome,
          mode: 'reconcile',
          held_for: 'shrink_guard',
          held_until: 1,
          content_type: 'text/csv',
          sha256: sha256(BYTES),
          catalog_id: 1,
        }
        database.run(rowWith(database, 'uploads', given))
      }
    })
  }
  await withBucket(state, async (bucket) => {
    for (const key of KEYS) await bucket.put(key, BYTES, 'application/pdf')
  })
  return state
}

const localTo = (stateDirectory) => ({ stateDirectory, remote: false, environment: undefined })
const silently = () => undefined

/** A backup of a whole state. */
async function backedUp() {
  const state = await makeState()
  const directory = await scratch()
  const file = path.join(directory, 'catalog.sql')
  const files = path.join(directory, 'catalog.files')
  await backUp(localTo(state), file, silently)
  return { directory, file, files }
}

it('a backup of all databases contains the documents and pending uploads, and only its owner can read it', async () => {
  const { directory, file, files } = await backedUp()
  for (const key of KEYS) expect(await readFile(path.join(files, key))).toEqual(BYTES)
  for (const name of [file, path.join(directory, 'catalog.DB_2.sql'), path.join(files, KEYS[0])]) {
    expect((await stat(name)).mode & 0o777, name).toBe(0o600)
  }
  expect(await readFile(file, 'utf8')).toMatch(
    /^-- Dataset Catalog Service \S+, migrations up to \S+\.sql, DB of DB, DB_2 at \S+Z\n/,
  )
})

it('a restore restores what a backup contains, and names missing documents', async () => {
  const { directory, file, files } = await backedUp()
  const whole = path.join(directory, 'whole')
  const [one, two] = KEYS.map((key) => path.join(files, key))
  await rm(one)
  await writeFile(two, 'other bytes')
  await withBucket(whole, (bucket) => bucket.put('_deployment', Buffer.from('another'), 'text/plain'))
  await expect(restore(localTo(whole), file, {}, silently)).rejects.toThrow('belongs to another deployment')
  // The databases are still empty.
  await expect(restore(localTo(whole), file, { adoptBucket: true }, silently)).rejects.toThrow(
    /Everything else is restored\.\nmissing: documents north\/one\ndamaged: documents north\/two$/,
  )
  for (const name of [one, two]) await writeFile(name, BYTES)
  await restore(localTo(whole), file, { documentsOnly: true }, silently)
  const same = []
  await compare(localTo(whole), file, (text) => same.push(text))
  expect(same.join('\n')).toMatch(
    /^DB: 7 rows of 1 workspace compared, and the bytes of 3 documents\.\nDB_2: 1 row of 1 workspace compared/,
  )
})

it('a comparison names the differences between a service and its backup', async () => {
  const { directory, file, files } = await backedUp()
  const whole = path.join(directory, 'whole')
  await restore(localTo(whole), file, {}, silently)
  await withDatabase(whole, 'DB', (database) => {
    database.run("DELETE FROM documents WHERE document_id = 'two'")
    database.run("UPDATE uploads SET content_type = 'text/plain' WHERE outcome = 'discarded'")
  })
  await rm(path.join(files, KEYS[1]))
  await rm(path.join(whole, 'v3', 'r2'), { recursive: true })
  await expect(compare(localTo(whole), file, silently)).rejects.toThrow(
    new RegExp(
      [
        'The service differs from the backup:',
        'DB: north: uploads/medication: 2 rows in both, and not the same',
        'DB: north: documents: 2 rows in the backup, 1 in the service',
        '(?:DB: .*\n)*missing in the backup: documents north/two[^]*missing in the service: documents north/one',
      ].join('\n'),
    ),
  )
})

it.each([
  ['is empty', {}, false, 'free'],
  ['is that of the deployment', { _deployment: 'this' }, false, 'this'],
  ['is that of another one', { _deployment: 'another' }, false, /belongs to another deployment.*add --adopt-bucket/s],
  [
    'has objects and no mark',
    { 'north/one': 'x' },
    false,
    /contains objects, and no ownership marker.*add --adopt-bucket/s,
  ],
  ['has objects and no mark and is adopted', { 'north/one': 'x' }, true, 'free'],
])('a restore marks a bucket, or rejects it before any change: it %s', async (_, objects, adopt, expected) => {
  const stored = new Map(Object.entries(objects))
  const bucket = {
    get: async (key) => stored.get(key),
    put: async (key, bytes) => stored.set(key, bytes.toString()),
    isEmpty: async () => stored.size === 0,
  }
  const claimed = claim(bucket, 'this', adopt)
  if (expected instanceof RegExp) {
    await expect(claimed).rejects.toThrow(expected)
    expect(Object.fromEntries(stored)).toEqual(objects)
  } else {
    await claimed
    expect(stored.get('_deployment')).toBe(expected)
  }
})

const WRITTEN = '2026-11-26T02:00:00.000Z'

/** A backup of two databases with the same documents. */
async function backupWith(ids) {
  const file = path.join(await scratch(), 'catalog.sql')
  const database = openSqlite()
  await migrate(database, 'DB')
  for (const id of ids) database.run(documentRow('north', id))
  const parts = partsOf(localTo('state'), file)
  for (const part of parts) await writeBackup(database, part.file, partName(part.binding, parts, WRITTEN))
  return file
}

describe('a backup that was truncated or changed after it was written', () => {
  const withoutLines = (text) => text.split('\n').toSpliced(2, 1).join('\n')

  it.each([
    ['a statement is missing', withoutLines, /documents has 0 rows and had 9/],
    ['a value is another', (text) => text.replace('"one"', '"eno"'), /the rows of documents are not those/],
    ['the end is missing', (text) => text.slice(0, -40), /its end is missing/],
    ['it is the part of another database', (text) => text.replace('DB of', 'DB_2 of'), /is DB_2 of DB, DB_2 at 2026/],
    [
      'half of it is missing',
      (text) => text.slice(0, text.indexOf('application/pdf')),
      /^.{0,400}(?:incomplete input|unrecognized).{0,200}$/,
    ],
    [
      'a line was added',
      (text) => text.replace('PRAGMA', 'DROP TABLE documents;\nPRAGMA'),
      /a line that no backup has/,
    ],
  ])('is neither restored nor reported as equal: %s', async (_, change, message) => {
    const file = await backupWith(['one', 'two', ...'1234567'])
    const text = await readFile(file, 'utf8')
    expect(change(text)).not.toBe(text)
    await writeFile(file, change(text))
    const state = path.join(await scratch(), 'state')
    await expect(restore(localTo(state), file, {}, silently)).rejects.toThrow(message)
    await expect(stat(fileIn(state, 'DB'))).rejects.toThrow('ENOENT')
    await expect(compare(localTo(state), file, silently)).rejects.toThrow(message)
  })
})

it('a restore is rejected as a whole if one of the databases has data', async () => {
  const file = await backupWith([])
  const state = path.join(path.dirname(file), 'state')
  await withDatabase(state, 'DB_2', async (database) => {
    await migrate(database, 'DB_2')
    database.run(documentRow('north', 'one'))
  })
  // The message does not tell users to delete it.
  await expect(restore(localTo(state), file, {}, silently)).rejects.toThrow(
    /^DB_2 already holds data \(documents.*\)\. Nothing was changed\. (?!.*delete)/,
  )
  await expect(stat(fileIn(state, 'DB'))).rejects.toThrow('ENOENT')
})

it('documents that were deleted in the meantime are no errors of a backup', async () => {
  const ids = ['kept', 'deleted', 'lost', 'damaged']
  const [copy, service] = [openSqlite(), openSqlite()]
  for (const database of [copy, service]) {
    await migrate(database, 'DB')
    for (const id of ids) database.run(documentRow('north', id))
  }
  const contents = { 'north/kept': BYTES, 'north/damaged': Buffer.from('other bytes') }
  const bucket = {
    get: async (key) => {
      // Another request deletes it while the backup runs.
      service.run("DELETE FROM documents WHERE document_id = 'deleted'")
      return contents[key]
    },
  }
  const copied = await backUpFiles(copy, service.read, bucket, path.join(await scratch(), 'files'))
  expect(copied.files).toBe(1)
  expect(copied.missing.map(({ key }) => key)).toEqual(['north/lost'])
  expect(copied.damaged.map(({ key }) => key)).toEqual(['north/damaged'])
  expect(copy.read('SELECT document_id FROM documents ORDER BY 1').flat()).toEqual(['damaged', 'kept', 'lost'])
})

it('every row is the same after a backup, whatever its texts are', async () => {
  const texts = [
    ...["it's; -- not a comment", 'two\nlines and \\n', 'a \r return, \u2028', 'ünïcödé 🧪', '"double" `tick`'],
    // Longer than the limit of a statement, with all characters that are hard to quote, and surrogate pairs at the
    // cuts.
    "🧪 it's, (a) long\ntext\r\n".repeat(12_000),
  ]
  const database = openSqlite()
  await migrate(database, 'DB')
  for (const [index, name] of texts.entries())
    database.run(rowWith(database, 'clients', { client_id: `client ${index}`, name }))
  const file = path.join(await scratch(), 'catalog.sql')
  await writeBackup(database, file, 'DB of DB at night')
  const statements = (await readFile(file, 'utf8')).split('\n')
  expect(Math.max(...statements.map((line) => Buffer.byteLength(line)))).toBeLessThan(100_000)
  expect(statements.filter((line) => line.startsWith('INSERT INTO "clients"'))).toHaveLength(2)

  const restored = openSqlite()
  await loadBackup(restored, file)
  expect(restored.read('SELECT name FROM clients ORDER BY client_id').flat()).toEqual(texts)
  const tables = describeTables(database)
  expect(digestsOf(restored, tables)).toEqual(digestsOf(database, tables))
  const triggers = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name"
  expect(restored.read(triggers)).toEqual(database.read(triggers))
})

describe('a deployed database that is read while its service writes', () => {
  const RECORDS = 4500
  const WRITE = `UPDATE catalogs SET revision = revision + 1 WHERE catalog_id = 2;
    UPDATE records SET data = '["new"]' WHERE row_id = (2 << 36) + 1;`

  /** Copies a service that writes to a catalog after a number of pages of its records have been read. */
  async function copyWhile(writes) {
    const [service, copy] = [openSqlite(), openSqlite()]
    for (const database of [service, copy]) await migrate(database, 'DB')
    service.run(`INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('south', 'S', 1), ('north', 'N', 1);
      INSERT INTO catalogs (workspace_id, type) VALUES ('south', 'symptom'), ('north', 'medication');`)
    for (let n = 1; n <= RECORDS; n++)
      service.run(
        rowWith(service, 'records', { row_id: 2 * 2 ** 36 + n, catalog_id: 2, record_id: `r${n}`, data: '["old"]' }),
      )
    let left = writes
    const query = async (sql, params) => {
      const rows = await service.query(sql, params)
      if (left > 0 && sql.includes('with sized') && sql.includes('"records"')) {
        left--
        service.run(WRITE)
      }
      return rows
    }
    await withoutTriggers(copy, () => copyRows(query, copy))
    return { service, copy }
  }

  it('has its catalogs read again if they changed in the meantime', async () => {
    const { service, copy } = await copyWhile(1)
    expect(copy.read('SELECT count(*) FROM records')).toEqual([[RECORDS]])
    const { control, of } = await unitsIn(copy.query)
    const units = [...control, ...of('north'), ...of('south')]
    for (const unit of units)
      expect(await digestOf(copy.query, unit), unit.name).toEqual(await digestOf(service.query, unit))
  })

  it('is not backed up if a catalog changes during every attempt', async () => {
    await expect(copyWhile(100)).rejects.toThrow('The catalog medication of the workspace north changed each of the 5')
  })
})

describe('data of another release', () => {
  const backupOf = async (firstLine) => {
    const file = path.join(await scratch(), 'catalog.sql')
    const text = `${firstLine}\nINSERT INTO "workspaces" VALUES ('north');\n`
    for (const name of [file, file.replace('.sql', '.DB_2.sql')]) await writeFile(name, text)
    return file
  }

  it.each([
    [
      '2.0.0',
      '-- Dataset Catalog Service 2.0.0, migrations up to 0076_move_marks.sql',
      /is a backup of release 2\.0\.0 .*docs\/upgrading\.md/,
    ],
    [
      'a later release',
      '-- Dataset Catalog Service 9.0.0, migrations up to 9999_later.sql',
      /release 9\.0\.0 .*Restore it with that release/,
    ],
  ])('in a backup of %s is not restored', async (_, firstLine, message) => {
    const state = path.join(await scratch(), 'state')
    const file = await backupOf(firstLine)
    await expect(restore(localTo(state), file, {}, silently)).rejects.toThrow(message)
    await expect(stat(fileIn(state, 'DB'))).rejects.toThrow('ENOENT')
  })

  it('in a local state is recognized by a restore and a backup', async () => {
    const state = path.join(await scratch(), 'state')
    await withDatabase(state, 'DB', (database) => migrate(database, 'DB'))
    await withDatabase(state, 'DB_2', ({ run: execute }) => {
      execute('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE); CREATE TABLE records (a)')
      execute(insertion('d1_migrations', { name: '0076_move_marks.sql' }))
    })
    const before = await readFile(fileIn(state, 'DB_2'))
    const message = 'is of an earlier release (0076_move_marks.sql), which this release does not upgrade. Nothing was'
    await expect(restore(localTo(state), await backupWith([]), {}, silently)).rejects.toThrow(message)
    const copy = path.join(await scratch(), 'new.sql')
    await expect(backUp(localTo(state), copy, silently)).rejects.toThrow(message)
    expect(await readFile(fileIn(state, 'DB_2'))).toEqual(before)
  })
})

describe('a backup with the name of an older one', () => {
  /** All files below a folder, with their content. */
  async function contentOf(folder) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    return Object.fromEntries(
      await Promise.all(
        files.sort().map(async (file) => [path.relative(folder, file), (await readFile(file)).toString('base64')]),
      ),
    )
  }

  async function madeOnce() {
    const [state, directory] = [await makeState(), await scratch()]
    const file = path.join(directory, 'catalog.sql')
    await backUp(localTo(state), file, silently)
    return { state, directory, file, older: await contentOf(directory) }
  }

  it('replaces it as a whole, without documents that were deleted since', async () => {
    const { state, directory, file, older } = await madeOnce()
    await withDatabase(state, 'DB', ({ run }) => run("DELETE FROM documents WHERE document_id = 'one'"))
    await backUp(localTo(state), file, silently)
    expect(Object.keys(await contentOf(directory))).toEqual(
      Object.keys(older).filter((name) => !name.endsWith('north/one')),
    )
  })

  it('changes nothing if the system rejects one of its names', async () => {
    const { directory, older } = await madeOnce()
    const names = ['catalog.sql', 'catalog.DB_2.sql', 'catalog.files'].map((name) => path.join(directory, name))
    const set = new NewSet(names)
    const replaced = set.write(async () => {
      // The last one is missing.
      for (const name of names.slice(0, 2)) await writeFile(set.unfinished(name), 'new')
      set.put()
    })
    await expect(replaced).rejects.toThrow('ENOENT')
    expect(await contentOf(directory)).toEqual(older)
  })

  it.each([
    ['before it is whole', false, 'old'],
    ['while it takes its place', true, 'new'],
  ])('that is interrupted %s leaves one complete set and nothing else', async (_, isWhole, expected) => {
    const directory = await scratch()
    const [file, folder] = ['catalog.sql', 'catalog.files'].map((name) => path.join(directory, name))
    await mkdir(folder)
    for (const name of [file, path.join(folder, 'one')]) await writeFile(name, 'old')
    const scripts = path.join(root, 'scripts')
    const text = `import { mkdirSync, writeFileSync } from 'node:fs'
      import { NewSet } from '${scripts}/backup/new-set.ts'
      import { command, runMain } from '${scripts}/script.mjs'
      const set = new NewSet(['${file}', '${folder}'])
      await runMain(command('test', '').action(() => set.write(async () => {
        mkdirSync(set.unfinished('${folder}'))
        for (const name of [set.unfinished('${file}'), set.unfinished('${folder}') + '/one']) writeFileSync(name, 'new')
        process.kill(process.pid, 'SIGTERM')
        if (${isWhole}) set.put()
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })))`
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: 'inherit' })
    expect(await once(child, 'close')).toEqual([130, null])
    const content = Buffer.from(expected).toString('base64')
    expect(await contentOf(directory)).toEqual({ 'catalog.sql': content, 'catalog.files/one': content })
  })

  it('reports the files of a killed run, and keeps them', async () => {
    const { state, directory, file } = await madeOnce()
    const left = path.join(directory, 'catalog.files.replaced-0a1b2c3d')
    await mkdir(left)
    const said = []
    await backUp(localTo(state), file, (text) => said.push(text))
    expect(said.filter((text) => text.includes('killed'))).toEqual([expect.stringContaining(left)])
    expect((await stat(left)).isDirectory()).toBe(true)
  })

  it('is rejected while a workspace moves, or if one has moved in the meantime, and the older one stays', async () => {
    const { state, directory, file, older } = await madeOnce()
    const change = (sql) => withDatabase(state, 'DB', ({ run }) => run(sql))
    await change("UPDATE workspaces SET move_target = 'DB_2' WHERE workspace_id = 'north'")
    await expect(backUp(localTo(state), file, silently)).rejects.toThrow('A workspace is being moved')
    await change('UPDATE workspaces SET move_target = NULL')
    // The list of workspaces has been read when the file with its rows begins.
    const watcher = watch(directory, (_, name) => {
      if (!/^catalog\.sql\.unfinished/.test(String(name))) return
      watcher.close()
      void change("UPDATE workspaces SET database_binding = 'DB_2' WHERE workspace_id = 'north'")
    })
    await expect(backUp(localTo(state), file, silently)).rejects.toThrow('was moved to another database')
    expect(await contentOf(directory)).toEqual(older)
  })
})

it('an interrupted script leaves behind none of the rows that it has copied', async () => {
  const [scripts, folder] = [path.join(root, 'scripts'), await scratch()]
  const text = `import { command, runMain } from '${scripts}/script.mjs'
    import { withDirectory } from '${scripts}/temporary-directory.mjs'
    await runMain(command('test', '').action(() => withDirectory(async (directory) => {
      process.stdout.write(directory)
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    })))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    env: { ...process.env, TMPDIR: folder },
  })
  const [directory] = await once(child.stdout, 'data')
  expect((await stat(String(directory))).isDirectory()).toBe(true)
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([130, null])
  expect(await readdir(folder)).toEqual([])
})

it('a restore of a missing file says so, and does not tell the user to delete anything', async () => {
  await expect(restore(localTo('state'), '/nowhere/catalog.sql', {}, silently)).rejects.toThrow(
    /^There is no file \/nowhere\/catalog\.sql for DB\. Nothing was changed\.$/,
  )
})
