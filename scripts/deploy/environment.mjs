/** The environment that a command is about. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '@decimalturn/toml-patch'
import { root } from '../wrangler.mjs'

/** The release in this directory. */
export const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

export const CONFIGURATION = path.join(root, 'wrangler.toml')

// Wrangler itself would take a second longer to load.
const readConfiguration = () => parse(readFileSync(CONFIGURATION, 'utf8'))

/**
 * @param {string | undefined} name production by default
 * @param {Record<string, any>} [configuration] `wrangler.toml`, parsed
 * @returns {{ args: string[], config: Record<string, any> }} the arguments that name it for wrangler, and its settings.
 *   Without a name, wrangler warns that there are several environments.
 * @throws {Error} when there is no such environment
 */
export function environmentOf(name, configuration = readConfiguration()) {
  const own = name === undefined ? configuration : configuration.env?.[name]
  if (own === undefined) throw new Error(`wrangler.toml has no [env.${name}].`)
  const { workers_dev, preview_urls, routes } = configuration
  // These are the settings that an environment inherits, and the name that wrangler gives its Worker.
  const worker = name === undefined ? configuration.name : `${configuration.name}-${name}`
  return { args: ['--env', name ?? ''], config: { workers_dev, preview_urls, routes, name: worker, ...own } }
}
