import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Calls `work`, and then deletes its files and directories, also if the process is interrupted. */
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
 * Calls `work` with a new directory, and deletes it afterwards.
 *
 * @template T
 * @param {(directory: string) => T | Promise<T>} work
 */
export async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'catalog-'))
  return removeAfter([directory], () => work(directory))
}
