import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { localDatabaseIds, readConfiguration } from '../../scripts/configuration.mjs'
import { databaseFile, localResources } from '../../scripts/database/local.mjs'
import { MIGRATIONS, migrate } from '../../scripts/database/migrate.mjs'
import { openSqlite } from '../../scripts/database/sqlite.mjs'
import { runWrangler } from '../../scripts/wrangler.mjs'
import { scratch } from './support.mjs'

/** The migrations as a deployment applies them. */
const applyMigrations = (state) =>
  runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--env', '', '--persist-to', state])

const SCHEMA = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE '_cf_%' ORDER BY type, name`
const LIST = 'SELECT id, name FROM d1_migrations ORDER BY id'

async function withDatabase(state, work) {
  const file = databaseFile(localResources(state), localDatabaseIds(readConfiguration()).get('DB'))
  await mkdir(path.dirname(file), { recursive: true })
  const database = openSqlite(file)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

const contentOf = ({ read }) => ({ schema: read(SCHEMA), migrations: read(LIST) })

it('a database that is brought up to date by the scripts is as wrangler makes it, and is then left alone', async () => {
  const [ours, theirs] = [await scratch(), await scratch()]
  const migrated = (state) =>
    withDatabase(state, async (database) => {
      await migrate(database, 'DB')
      return contentOf(database)
    })
  const made = await migrated(ours)
  expect(made.migrations.map(([, name]) => name)).toEqual(MIGRATIONS)
  await applyMigrations(theirs)
  expect(await withDatabase(theirs, contentOf)).toEqual(made)
  for (const state of [ours, theirs]) expect(await migrated(state)).toEqual(made)
}, 180_000)
