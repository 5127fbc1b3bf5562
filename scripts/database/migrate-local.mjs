/**
 * `node scripts/database/migrate-local.mjs DIR`: brings the local databases in a state directory up to date. A separate
 * process, so that its runtime ends with it even when `npm start` is killed.
 */
import { databaseBindings } from './bindings.mjs'
import { localResources, openLocal } from './local.mjs'
import { migrate } from './migrate.mjs'

const directory = localResources(process.argv[2])
for (const { id, previewId } of databaseBindings()) {
  const database = await openLocal(directory, previewId ?? id)
  await migrate(database)
  await database.close()
}
