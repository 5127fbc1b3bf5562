import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Calls `work` with a new directory, which is removed afterwards.
 *
 * @template T
 * @param {(directory: string) => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'catalog-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
