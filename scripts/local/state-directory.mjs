import { chmod, mkdir } from 'node:fs/promises'

/**
 * Makes the directory of the local state if there is none. Only its owner can read it, because it holds catalogs,
 * sealed secrets and the log.
 *
 * @param {string} directory
 */
export async function ensureStateDirectory(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // `mkdir` does not change an existing directory.
  await chmod(directory, 0o700)
}
