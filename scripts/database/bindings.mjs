import path from 'node:path'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { root } from '../wrangler.mjs'

/**
 * The D1 databases that are bound in `wrangler.toml`, by name; the control database `DB` first.
 *
 * @param {string} [environment] name of an environment; production by default
 * @returns {string[]}
 */
export function boundDatabases(environment) {
  const { rawConfig } = readRawConfig({ config: path.join(root, 'wrangler.toml') })
  const { d1_databases: databases = [] } = environment ? (rawConfig.env?.[environment] ?? {}) : rawConfig
  return databases.map(({ binding }) => binding).sort()
}

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
