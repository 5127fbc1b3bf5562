import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../wrangler.mjs'

const sqlFiles = (directory) => readdirSync(directory).filter((name) => name.endsWith('.sql'))

/** Runs drizzle-kit with `directory` in place of `migrations/`. */
function generateInto(directory) {
  const drizzleKit = path.join(root, 'node_modules', 'drizzle-kit', 'bin.cjs')
  // drizzle-kit reads the output directory relative to where it runs.
  const out = path.relative(root, directory)
  return spawnSync(
    process.execPath,
    [drizzleKit, 'generate', '--dialect=sqlite', '--schema=./src/storage/schema/*.ts', `--out=${out}`],
    // Without an input it gives up on a question, such as whether a column was renamed.
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  )
}

/**
 * Says where `src/storage/schema/` and the migrations have drifted apart, that is when `drizzle-kit generate` would
 * write a new migration. It runs on a temporary copy. The tree stays as it is.
 *
 * @param {string} migrations the directory
 * @returns {string[]} what is wrong
 */
export function driftErrors(migrations) {
  const copy = mkdtempSync(path.join(tmpdir(), 'migrations-'))
  try {
    cpSync(migrations, copy, { recursive: true })
    const run = generateInto(copy)
    const known = sqlFiles(migrations)
    const added = sqlFiles(copy).filter((name) => !known.includes(name))
    // drizzle-kit ends with 0 when it gave up on a question as well: only its own words say that all is well.
    if (run.status === 0 && added.length === 0 && run.stdout.includes('No schema changes')) return []
    return [
      `${run.stdout}${run.stderr}\nmigrations/ does not match src/storage/schema/: run \`npm run migration\`.`,
    ]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
