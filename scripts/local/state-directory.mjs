import { chmod, mkdir } from 'node:fs/promises'

/**
 * Makes the directory of the local state where there is none, and keeps it for its owner alone: it holds catalogs,
 * sealed secrets and the log.
 *
 * @param {string} directory
 */
export async function ensureStateDirectory(directory) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // `mkdir` leaves an existing directory as it is.
  await chmod(directory, 0o700)
}
