import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeTables, dump } from '../../scripts/database/dump.mjs'
import { levels, linesOf, load } from '../../scripts/database/load.mjs'
import { databaseFile, openLocal } from '../../scripts/database/local.mjs'
import { snapshot } from '../../scripts/database/snapshot.mjs'
import { openSqlite } from '../../scripts/database/sqlite.mjs'
import { scratch } from './support.mjs'

const ID = '00000000-0000-0000-0000-000000000000'

it('lines are complete, wherever the chunks of a file end, and CR does not end a line', async () => {
  const lines = ['a\rb', 'ü'.repeat(1 << 20), '', 'last']
  const file = path.join(await scratch(), 'file')
  await writeFile(file, lines.join('\n'))
  const found = []
  for await (const line of linesOf(file)) found.push(line)
  expect(found).toEqual(lines)
})

it('tables come after those that they refer to', () => {
  const references = new Map([
    ['api_keys', new Set(['clients', 'workspaces'])],
    ['clients', new Set()],
    ['nodes', new Set(['nodes', 'api_keys'])],
    ['workspaces', new Set()],
  ])
  expect(levels(references)).toEqual([['clients', 'workspaces'], ['api_keys'], ['nodes']])
  expect(() =>
    levels(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a'])],
      ]),
    ),
  ).toThrow('refer to each other: a, b')
})

const SCHEMA = [
  'CREATE TABLE child (id INTEGER PRIMARY KEY, parent TEXT NOT NULL REFERENCES parent(id), note TEXT)',
  'CREATE TABLE parent (id TEXT PRIMARY KEY, seen INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID',
  'CREATE TRIGGER count_children AFTER INSERT ON child BEGIN UPDATE parent SET seen = seen + 1 WHERE id = new.parent; END',
]

const dumped = async ({ read }) => (await Array.fromAsync(dump(read, await describeTables(read)))).join('')

describe('a database', () => {
  it('has the same content after its backup was loaded into a new one', async () => {
    const file = path.join(await scratch(), 'backup.sql')
    const source = openSqlite()
    await source.batch(SCHEMA)
    await source.batch(["INSERT INTO parent (id) VALUES ('p')", "INSERT INTO parent (id) VALUES ('q')"])
    await source.batch(
      Array.from({ length: 2500 }, (_, n) => `INSERT INTO child VALUES (${n}, 'p', 'it''s ${n}')`),
    )
    const written = await dumped(source)
    await writeFile(file, written)

    const target = openSqlite()
    await target.batch(SCHEMA)
    await load(target, () => linesOf(file), await describeTables(target.read))
    // Counted once, by the trigger of the first database; the trigger exists again.
    expect(await target.read('SELECT id, seen FROM parent ORDER BY id')).toEqual([
      ['p', 2500],
      ['q', 0],
    ])
    expect(await dumped(target)).toBe(written)
    await target.batch(["INSERT INTO child VALUES (9999, 'q', null)"])
    expect(await target.read("SELECT seen FROM parent WHERE id = 'q'")).toEqual([[1]])
  })

  it('has rows in any number that are short, also from a backup with all of them in one statement', async () => {
    const words = (first, length) => Array.from({ length }, (_, n) => `('w${first + n}','b',1,0)`).join(',')
    const head = 'INSERT INTO "word" ("word", "place", "catalog", "listed") VALUES '
    const create = 'CREATE TABLE word (word TEXT PRIMARY KEY, place TEXT, catalog INTEGER, listed INTEGER)'
    const source = openSqlite()
    await source.batch([create, `${head}${words(0, 5000)};`, `${head}${words(5000, 5000)};`])
    const directory = await scratch()
    const [newer, older] = [path.join(directory, 'newer.sql'), path.join(directory, 'older.sql')]
    await writeFile(newer, await dumped(source))
    await writeFile(older, `${head}${words(0, 5000)};\n${head}${words(5000, 5000)};\n`)
    for (const file of [newer, older]) {
      const target = await openLocal(await scratch(), ID)
      try {
        await target.batch([create])
        await load(target, () => linesOf(file), await describeTables(target.read))
        expect(await dumped(target)).toBe(await dumped(source))
      } finally {
        await target.close()
      }
    }
  })

  it('is open once its runtime runs, because two that start at once in a new directory lock each other out', async () => {
    const directory = await scratch()
    const { read, close } = await openLocal(directory, ID)
    try {
      expect(await readdir(directory)).toContain('d1')
      const other = await openLocal(directory, ID.replace(/0$/, '2'))
      expect([await read('SELECT 1'), await other.read('SELECT 2')]).toEqual([[[1]], [[2]]])
      await other.close()
    } finally {
      await close()
    }
  })

  it('is copied completely while another process writes to it', async () => {
    const directory = await scratch()
    const database = await openLocal(directory, ID)
    await database.batch(['CREATE TABLE pairs (id INTEGER PRIMARY KEY, text TEXT NOT NULL)'])
    let writing = true
    const writer = (async () => {
      // Each transaction writes two rows, so that a copy with half of one would have an odd number.
      for (let n = 0; writing; n += 2) {
        const row = (id) => `INSERT INTO pairs VALUES (${id}, '${'x'.repeat(3000)}')`
        await database.batch([row(n), row(n + 1)])
      }
    })()
    try {
      for (let attempt = 0; attempt < 5; attempt++) {
        const copy = path.join(await scratch(), 'copy.sqlite')
        await snapshot(databaseFile(directory, ID), copy)
        const copied = openSqlite(copy)
        const [[count]] = await copied.read('SELECT count(*) FROM pairs')
        const [[intact]] = await copied.read('PRAGMA quick_check')
        await copied.close()
        expect(count % 2).toBe(0)
        expect(intact).toBe('ok')
      }
    } finally {
      writing = false
      await writer
      await database.close()
    }
  })
})
