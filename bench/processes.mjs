/**
 * Temporary files and processes of a run, which are cleaned up however it ends; and CPU time. Unlike wall-clock time,
 * CPU time hardly depends on the machine's other load.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

/** Length of a tick, Linux's unit of CPU time. */
const TICK_MS = 10

/** Whether the system reports the CPU time of other processes. */
export const tellsCpu = existsSync('/proc/self/stat')

/** @returns {number} 0 if the process has ended */
function cpuOfOne(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the bracket may contain spaces. The fields after it begin with the third of proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return 0
  }
}

/**
 * The descendants of a process.
 *
 * @param {number} ancestor
 * @returns {number[]}
 */
export function descendants(ancestor) {
  const children = new Map()
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const all = [ancestor]
  for (const pid of all) all.push(...(children.get(pid) ?? []))
  return all.slice(1)
}

export function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The name of a process; undefined if it has ended. */
export function programOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * CPU time used by processes so far, in milliseconds.
 *
 * @param {number[]} pids
 */
export const cpuOf = (pids) => pids.reduce((sum, pid) => sum + cpuOfOne(pid), 0)

/** CPU time used by this process so far, in milliseconds. */
export function ownCpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
