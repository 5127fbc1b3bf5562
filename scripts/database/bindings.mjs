import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'

const setting = (table, name) => new RegExp(`^${name}\\s*=\\s*"([^"]*)"`, 'm').exec(table)?.[1]

// This module reads the file itself, because loading wrangler takes longer than a backup.
const configuration = () => readFileSync(path.join(root, 'wrangler.toml'), 'utf8')

/** The account that `wrangler.toml` names above its tables. @returns {string | undefined} */
export const accountId = () => setting(configuration().split(/^\[/m)[0], 'account_id')

/**
 * The tables of one kind in `wrangler.toml`.
 *
 * @param {string} kind such as `d1_databases`
 * @param {string} [environment] name of an environment; production by default
 */
function tablesOf(kind, environment) {
  const head = `[[${environment ? `env.${environment}.` : ''}${kind}]]`
  // A table ends at the beginning of the next one.
  return configuration()
    .split(/^(?=\[)/m)
    .filter((table) => table.startsWith(head))
}

/**
 * The D1 databases that are bound in `wrangler.toml`.
 *
 * @param {string} [environment] name of an environment; production by default
 * @returns {{ binding: string, id: string, previewId: string | undefined }[]} the local simulator uses `previewId` if there is one
 */
export const databaseBindings = (environment) =>
  tablesOf('d1_databases', environment).map((table) => ({
    binding: setting(table, 'binding'),
    id: setting(table, 'database_id'),
    previewId: setting(table, 'preview_database_id'),
  }))

/**
 * The bucket with the bytes of documents.
 *
 * @param {string} [environment] name of an environment; production by default
 * @returns {{ name: string, jurisdiction: string | undefined }}
 * @throws {Error} when `wrangler.toml` binds none
 */
export function bucketBinding(environment) {
  const table = tablesOf('r2_buckets', environment).find((text) => setting(text, 'binding') === 'DOCUMENTS')
  if (!table) throw new Error(`wrangler.toml binds no bucket as DOCUMENTS${inEnvironment(environment)}.`)
  return { name: setting(table, 'bucket_name'), jurisdiction: setting(table, 'jurisdiction') }
}

export const inEnvironment = (environment) => (environment ? ` in the environment ${environment}` : '')

/**
 * The bindings of these databases; the control database `DB` first.
 *
 * @param {string} [environment] name of an environment; production by default
 * @returns {string[]}
 */
export const boundDatabases = (environment) =>
  databaseBindings(environment)
    .map(({ binding }) => binding)
    .sort()

/**
 * The file of one database in a backup that has a file for each: `catalog.sql` for `DB`, `catalog.DB_2.sql` for
 * `DB_2`.
 *
 * @param {string} file
 * @param {string} binding
 */
export function fileOf(file, binding) {
  if (binding === 'DB') return file
  const { dir, name, ext } = path.parse(file)
  return path.join(dir, `${name}.${binding}${ext}`)
}
