import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { root, runWrangler } from '../wrangler.mjs'

/**
 * @typedef {object} Target a D1 database, local or remote
 * @property {string} database its binding in `wrangler.toml`
 * @property {boolean} remote
 * @property {string} stateDirectory where a local one lives
 */

/**
 * Reads the arguments that backup and restore share: `[--local|--remote] [--persist-to DIR] [--database BINDING] FILE`.
 *
 * @param {string[]} args
 * @returns {Omit<Target, 'database'> & { file: string, database: string | undefined }} without a database where all of
 *   them are meant
 * @throws {Error} with a message for the user
 */
export function parseTarget(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      database: { type: 'string' },
      'persist-to': { type: 'string', default: path.join('.wrangler', 'state') },
    },
  })
  if (values.local && values.remote) throw new Error('Choose one of --local and --remote.')
  if (positionals.length !== 1) throw new Error('Name one file: [--local|--remote] [--persist-to DIR] FILE')
  return {
    file: path.resolve(positionals[0]),
    database: values.database,
    remote: values.remote,
    stateDirectory: path.resolve(values['persist-to']),
  }
}

const place = ({ remote, stateDirectory }) =>
  remote ? ['--remote'] : ['--local', '--persist-to', stateDirectory]

/**
 * Runs one read-only statement.
 *
 * @param {Target} target
 * @returns {Promise<Record<string, unknown>[]>} its rows
 */
export async function query(target, sql) {
  const output = await runWrangler([
    'd1',
    'execute',
    target.database,
    ...place(target),
    '--json',
    '--command',
    sql,
  ])
  return JSON.parse(output)[0].results
}

/** Runs every statement of a file, in one transaction. */
export async function runFile(target, file) {
  await runWrangler(['d1', 'execute', target.database, ...place(target), '--yes', '--file', file])
}

export async function applyMigrations(target) {
  await runWrangler(['d1', 'migrations', 'apply', target.database, ...place(target)])
}

/**
 * Writes the rows of some tables to a file, as SQL.
 *
 * @param {Target} target
 * @param {string[]} tables
 */
export async function exportRows(target, tables, file) {
  const args = [
    '--no-schema',
    '--skip-confirmation',
    '--output',
    file,
    ...tables.flatMap((name) => ['--table', name]),
  ]
  if (target.remote) {
    await runWrangler(['d1', 'export', target.database, '--remote', ...args])
    return
  }
  // The local export takes no --persist-to: it looks for the state beside the configuration.
  const directory = mkdtempSync(path.join(tmpdir(), 'd1-export-'))
  try {
    const config = path.join(directory, 'wrangler.toml')
    copyFileSync(path.join(root, 'wrangler.toml'), config)
    mkdirSync(path.join(directory, '.wrangler'))
    symlinkSync(target.stateDirectory, path.join(directory, '.wrangler', 'state'), 'junction')
    await runWrangler(['d1', 'export', target.database, '--local', '--config', config, ...args])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
