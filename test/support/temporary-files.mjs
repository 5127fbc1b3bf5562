import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** An in-memory file system, if Linux provides one. */
const IN_MEMORY = '/dev/shm'

/** Several times the size of a run's databases. */
const NEEDED_BYTES = 2 ** 30

/** @returns {string | undefined} undefined if there is not enough space */
function newDirectory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize < NEEDED_BYTES ? undefined : mkdtempSync(path.join(IN_MEMORY, 'catalog-tests-'))
  } catch {
    // It does not exist, or is not writable.
    return undefined
  }
}

/**
 * Keeps the temporary files of this process and its children, including the tests' databases, in memory if there is
 * enough space: on a disk, every write waits for it. They are deleted when the process ends. `TMPDIR` names another
 * location.
 */
export function keepTemporaryFilesInMemory() {
  const directory = process.env.TMPDIR ? undefined : newDirectory()
  if (directory === undefined) return
  process.env.TMPDIR = directory
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
}
