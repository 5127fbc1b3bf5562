/**
 * Part of `npm run check`: fails when the remote side would refuse a migration, when a migration removes what the
 * Worker before it uses or takes too long, or when `src/worker/storage/schema/` and the migrations differ.
 */
import '../require-node.mjs'
import '../no-arguments.mjs'
import path from 'node:path'
import { MIGRATIONS, textOfMigration } from '../database/migrate.mjs'
import { root } from '../wrangler.mjs'
import { driftErrors } from './drift.mjs'
import { durationErrors } from './duration.mjs'
import { contractionErrors, ruleErrors } from './rules.mjs'

const migrations = MIGRATIONS.map((name) => /** @type {[string, string]} */ ([name, textOfMigration(name)]))

const errors = [
  ...migrations.flatMap(([name, text]) => ruleErrors(text).map((error) => `${name}, ${error}`)),
  ...migrations.flatMap(([name, text]) => contractionErrors(text).map((error) => `${name}: ${error}`)),
  ...durationErrors(migrations),
  ...driftErrors(path.join(root, 'migrations')),
]
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
}
