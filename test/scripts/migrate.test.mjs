import { expect, it, onTestFinished } from 'vitest'
import { localResources, openLocal } from '../../scripts/database/local.mjs'
import { migrate } from '../../scripts/database/migrate.mjs'
import { databaseIdOf } from '../../scripts/database/target.mjs'
import { runWrangler } from '../../scripts/wrangler.mjs'
import { scratch } from './support.mjs'

/** The migrations as a deployment applies them. */
const applyMigrations = ({ database, stateDirectory }) =>
  runWrangler(['d1', 'migrations', 'apply', database, '--local', '--env', '', '--persist-to', stateDirectory])

const SCHEMA = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE '_cf_%' ORDER BY type, name`
const MIGRATIONS = 'SELECT id, name FROM d1_migrations ORDER BY id'

const targetIn = (stateDirectory) => ({ database: 'DB', remote: false, stateDirectory })

async function opened(target) {
  const database = await openLocal(localResources(target.stateDirectory), databaseIdOf(target))
  onTestFinished(() => database.close())
  return database
}

const contentOf = async (database) => ({
  schema: await database.read(SCHEMA),
  migrations: await database.read(MIGRATIONS),
})

it('a database that is brought up to date by the scripts is as wrangler makes it, and wrangler finds nothing to do', async () => {
  const [ours, theirs] = [targetIn(await scratch()), targetIn(await scratch())]
  const first = await openLocal(localResources(ours.stateDirectory), databaseIdOf(ours))
  const names = await migrate(first)
  expect(names.length).toBeGreaterThan(10)
  expect(await migrate(first)).toEqual([])
  const made = await contentOf(first)
  await first.close()

  await applyMigrations(theirs)
  expect(made).toEqual(await contentOf(await opened(theirs)))
  await applyMigrations(ours)
  expect(await contentOf(await opened(ours))).toEqual(made)
}, 180_000)
