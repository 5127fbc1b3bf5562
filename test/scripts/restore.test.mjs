import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { migrationOf } from '../../scripts/database/older-backup.mjs'
import { openTrial, restoreRows } from '../../scripts/database/restore-target.mjs'
import { scratch } from './support.mjs'

/** Restores a backup and reads from the database that it makes. */
async function restored(statements, queries) {
  const directory = await scratch()
  const file = path.join(directory, 'backup.sql')
  await writeFile(file, statements.join('\n'))
  const database = openTrial(path.join(directory, 'trial.sqlite'))
  await restoreRows(database, file, await migrationOf(file))
  return Promise.all(queries.map((sql) => database.read(sql)))
}

const WORDS = Array.from({ length: 6000 }, (_, number) => `word${number}`)
/** Fewer than a statement may have. */
const CHUNKS = Array.from({ length: 6 }, (_, chunk) => WORDS.slice(chunk * 1000, (chunk + 1) * 1000))
const ROWS = CHUNKS.map(
  (words) =>
    `INSERT INTO "search_words" ("catalog_id", "word", "place") VALUES ${words.map((word) => `(1,'${word}','a')`)};`,
)
const QUERIES = [
  'SELECT value FROM search_word_lists, json_each(words)',
  'SELECT count(*) FROM search_words WHERE listed = 0',
  "SELECT count(*) FROM sqlite_schema WHERE name = 'search_word_lists_words'",
]
const expected = [WORDS.map((word) => `A${word}`).sort(), [[0]], [[1]]]
const sorted = ([lists, ...rest]) => [lists.map(([word]) => word).sort(), ...rest]

it('a backup of a release that had no lists of words has them after its restore', async () => {
  expect(sorted(await restored(ROWS, QUERIES))).toEqual(expected)
})

it('a backup of a release that did not tell which words are in lists has each word in one list after its restore', async () => {
  // Some words are in no list: an even earlier release wrote them.
  const lists = [...CHUNKS.slice(0, 5), CHUNKS[5].slice(10)].map(
    (words, number) =>
      `INSERT INTO "search_word_lists" ("catalog_id", "number", "words") VALUES (1,${number},'${JSON.stringify(words.map((word) => `A${word}`))}');`,
  )
  expect(sorted(await restored([...lists, ...ROWS], QUERIES))).toEqual(expected)
})
