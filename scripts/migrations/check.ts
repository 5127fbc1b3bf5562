/** The check of the migrations. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { MIGRATIONS, textOfMigration } from '../database/migrate.ts'
import { withDirectory } from '../temporary-directory.mjs'
import { root } from '../wrangler.mjs'
import { durationErrors, type Migration } from './duration.ts'
import { contractionErrors, ruleErrors } from './rules.ts'

const sqlFiles = (directory: string): string[] => readdirSync(directory).filter((name) => name.endsWith('.sql'))

/** Runs drizzle-kit with `directory` instead of `migrations/`. */
function generateInto(directory: string) {
  const drizzleKit = path.join(root, 'node_modules', 'drizzle-kit', 'bin.cjs')
  // drizzle-kit reads the output directory relative to its working directory.
  const out = path.relative(root, directory)
  return spawnSync(
    process.execPath,
    [drizzleKit, 'generate', '--dialect=sqlite', '--schema=./src/worker/storage/schema/*.ts', `--out=${out}`],
    // Without an input, it stops at a question, such as whether a column was renamed.
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  )
}

/**
 * Finds differences between `src/worker/storage/schema/` and the migrations: they differ if `drizzle-kit generate`
 * would write a new migration. Runs on a temporary copy, so the working tree stays unchanged.
 */
const driftErrors = (): Promise<string[]> =>
  withDirectory((copy: string) => {
    cpSync(path.join(root, 'migrations'), copy, { recursive: true })
    const run = generateInto(copy)
    // drizzle-kit also exits with 0 when it stops at a question. Only its output shows that there are no changes.
    const isSame = run.status === 0 && sqlFiles(copy).length === MIGRATIONS.length
    if (isSame && run.stdout.includes('No schema changes')) return []
    return [
      `${run.stdout}${run.stderr}\nmigrations/ does not match src/worker/storage/schema/: run \`npm run migration\`.`,
    ]
  })

/**
 * Finds statements that D1 would reject, removals of what the previous Worker uses, slow migrations, and differences
 * from `src/worker/storage/schema/`.
 *
 * @returns the errors
 */
export async function checkMigrations(): Promise<string[]> {
  const migrations = MIGRATIONS.map((name): Migration => [name, textOfMigration(name)])
  const textErrors = migrations.flatMap(([name, text]) =>
    [...ruleErrors(text), ...contractionErrors(text)].map((error) => `${name}: ${error}`),
  )
  return [...textErrors, ...durationErrors(migrations), ...(await driftErrors())]
}
