import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'

/** A file system in memory, if Linux has one. */
const IN_MEMORY = '/dev/shm'

/** Several times what the databases of a run take. */
const NEEDED_BYTES = 2 ** 30

/** @returns {string | undefined} undefined if there is no room */
function newDirectory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize < NEEDED_BYTES ? undefined : mkdtempSync(path.join(IN_MEMORY, 'catalog-tests-'))
  } catch {
    // There is none, or it is not for writing.
    return undefined
  }
}

/**
 * Has the temporary files of this process and of its children, the databases of the tests among them, in memory if
 * there is room: on a disk every write waits for it. They are removed when the process ends. `TMPDIR` names another
 * place.
 */
export function keepTemporaryFilesInMemory() {
  const directory = process.env.TMPDIR ? undefined : newDirectory()
  if (directory === undefined) return
  process.env.TMPDIR = directory
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
}
