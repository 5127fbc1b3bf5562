import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Calls `work`, and then removes files and directories that it has made, also if the process is interrupted. */
export async function removeAfter(names, work) {
  const remove = () => names.map((name) => rmSync(name, { recursive: true, force: true }))
  process.once('exit', remove)
  try {
    return await work()
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/**
 * Calls `work` with a new directory, which is removed afterwards.
 *
 * @template T
 * @param {(directory: string) => T | Promise<T>} work
 */
export async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'catalog-'))
  return removeAfter([directory], () => work(directory))
}
