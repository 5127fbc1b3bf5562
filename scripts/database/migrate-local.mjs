/**
 * `node scripts/database/migrate-local.mjs DIR`: brings the local databases in a state directory up to date. A separate
 * process, so that its runtime ends with it even when `npm start` is killed.
 */
import { databaseBindings } from './bindings.mjs'
import { localResources, openLocals } from './local.mjs'
import { migrate } from './migrate.mjs'

const ids = databaseBindings().map(({ id, previewId }) => previewId ?? id)
const { databases, close } = await openLocals(localResources(process.argv[2]), ids)
await Promise.all(databases.map((database) => migrate(database)))
await close()
