/**
 * The directory of a local state, and its lock. Two services on one directory answer some requests with 500, because each locks the
 * database against the other.
 */
import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const LOCK_FILE = 'service.lock'

/** Most attempts when a lock changes while it is checked. */
const ATTEMPTS = 10

/**
 * @typedef {object} Holder
 * @property {string} id unique, so that a lock is removed only by its holder
 * @property {number} pid
 * @property {string | null} started when the process began, if the system tells it; a later process can get the same
 *   pid
 * @property {string} purpose for the message to a process that finds the directory locked
 */

const read = (file) =>
  readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Boot and clock ticks at which a process began (Linux, proc(5)); null if it has ended, and on other systems. */
async function startOf(pid) {
  const [boot, stat] = await Promise.all([
    read('/proc/sys/kernel/random/boot_id').catch(() => undefined),
    read(`/proc/${pid}/stat`).catch(() => undefined),
  ])
  if (boot === undefined || stat === undefined) return null
  // The name of the program, in parentheses, may hold spaces. Field 22 is the 20th after it.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie has ended. Only its parent has not noticed yet.
  return state === 'Z' ? null : `${boot.trim()}/${fields[18]}`
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, under another user.
    return error.code === 'EPERM'
  }
}

/** @param {Holder} holder */
async function holds({ pid, started }) {
  if (!Number.isInteger(pid) || !isAlive(pid)) return false
  return started === null || started === (await startOf(pid))
}

/** The holder that a lock file names; undefined for a damaged file, which belongs to nobody. */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Removes a stale lock, unless another process has replaced it in the meantime. */
async function removeStale(file, staleText) {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  // Another process was faster, so its lock is put back.
  if ((await read(aside)) !== staleText) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
}

/** Puts the lock in its place; false when there already is one. A link is atomic. */
async function place(draft, file) {
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** @throws {Error} naming the holder of the lock, unless that process has ended */
async function takeStaleAway(file, directory) {
  const text = await read(file)
  if (text === undefined) return
  const holder = parse(text)
  if (holder && (await holds(holder))) {
    throw new Error(
      `${directory} is in use by ${holder.purpose} (process ${holder.pid}). ` +
        'Stop it first, or name another directory with --persist-to.',
    )
  }
  await removeStale(file, text)
}

/**
 * Locks a state directory for this process. A lock whose process has ended is taken over.
 *
 * @param {string} directory an existing directory
 * @param {string} purpose the holder of the lock, such as "the service on port 8787"
 * @returns {Promise<() => Promise<void>>} gives the lock back; may be called more than once
 * @throws {Error} naming the holder, when another process has the lock
 */
export async function lockState(directory, purpose) {
  const file = path.join(directory, LOCK_FILE)
  const id = randomUUID()
  const own = `${JSON.stringify({ id, pid: process.pid, started: await startOf(process.pid), purpose })}\n`
  const draft = `${file}.${id}`
  await writeFile(draft, own, { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await place(draft, file)) {
        return async () => {
          if ((await read(file)) === own) await rm(file, { force: true })
        }
      }
      await takeStaleAway(file, directory)
    }
  } finally {
    await rm(draft, { force: true })
  }
  throw new Error(`${directory} is being locked by other processes again and again. Try again.`)
}

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
