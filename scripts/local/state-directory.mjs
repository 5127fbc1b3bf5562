/**
 * The directory of a local state, and its lock. Two services on one directory answer some requests with 500, because
 * each locks the database against the other.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openSqlite } from '../database/sqlite.ts'

/** SQLite's code for a database that another connection has locked. */
const BUSY = 5

/** The open locks: one to which nothing refers would be collected, and so given back. */
const locks = new Set()

/**
 * Locks a state directory for this process: by an open transaction in a database there, which ends with the process,
 * however that ends. A file says who has it. Only the owner of the directory can read it, because it holds catalogs,
 * sealed secrets and the log.
 *
 * @param {string} directory is made if there is none
 * @param {string} purpose the holder of the lock, such as "the service on port 8787"
 * @returns {() => void} gives the lock back
 * @throws {Error} naming the holder, when another process has the lock
 */
export function lockState(directory, purpose) {
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o700)
  const holder = path.join(directory, 'lock.holder')
  const database = openSqlite(path.join(directory, 'lock.sqlite'))
  try {
    database.run('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (error.errcode !== BUSY) throw error
    // The holder may not have written its name yet.
    const name = existsSync(holder) ? readFileSync(holder, 'utf8') : 'another process'
    throw new Error(`${directory} is in use by ${name}. Stop it first, or name another directory with --persist-to.`)
  }
  writeFileSync(holder, `${purpose} (process ${process.pid})`)
  locks.add(database)
  return () => {
    locks.delete(database)
    database.close()
  }
}
