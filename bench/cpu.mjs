/** CPU time of processes. Unlike the time on the clock, it hardly depends on what else the machine does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Length of a tick, in which Linux tells the CPU time of a process. */
const TICK_MS = 10

/** Whether the system tells the CPU time of other processes. */
export const tellsCpu = existsSync('/proc/self/stat')

/** @returns {{ parent: number, ms: number } | undefined} undefined when the process has ended */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the bracket may hold spaces. The fields after it begin with the third of proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    return undefined
  }
}

/**
 * The processes that a process has started, directly or through others, by the name of their program.
 *
 * @param {number} ancestor
 * @param {string} program
 * @returns {number[]}
 */
export function descendants(ancestor, program) {
  const parents = new Map()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined
    if (stat) parents.set(Number(name), stat.parent)
  }
  const descends = (pid) => pid !== undefined && (pid === ancestor || descends(parents.get(pid)))
  return [...parents.keys()].filter((pid) => descends(pid) && programOf(pid) === program)
}

function programOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}

/**
 * CPU time that processes have used so far, in milliseconds.
 *
 * @param {number[]} pids
 */
export const cpuOf = (pids) => pids.reduce((sum, pid) => sum + (statOf(pid)?.ms ?? 0), 0)

/** CPU time that this process has used so far, in milliseconds. */
export function ownCpu() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
