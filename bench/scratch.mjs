/** Files and processes of a run. They end with the run, however it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const children = new Set()
let directory

/** @returns {string} a new folder, which is removed at the end of the run */
export function scratchDirectory(name) {
  directory ??= mkdtempSync(path.join(tmpdir(), 'catalog-bench-'))
  return mkdtempSync(path.join(directory, `${name}-`))
}

/**
 * Makes sure that a process ends with the run.
 *
 * @template {import('node:child_process').ChildProcess} C
 * @param {C} child
 * @returns {C}
 */
export function owned(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM')
  if (directory) rmSync(directory, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
