import { copyFile, open, rm } from 'node:fs/promises'

/** Bytes of the header of a write-ahead log, which holds salts that change whenever the log begins anew. */
const WAL_HEADER_BYTES = 32
/** How often a copy is tried during which the log began anew. */
const ATTEMPTS = 20

/** The header of a database's log; empty where there is none. */
async function walHeader(file) {
  let handle
  try {
    handle = await open(`${file}-wal`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(WAL_HEADER_BYTES), 0, WAL_HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  } finally {
    await handle?.close()
  }
}

async function copyIfThere(source, target) {
  await rm(target, { force: true })
  await copyFile(source, target).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/**
 * Copies a SQLite database in WAL mode while another process uses it, without a lock, so that neither gets in the other's
 * way.
 *
 * Pages reach the database file only from the log, and the log begins anew only after all of them did. As long as its header
 * stays the same, whatever was written into the database file during the copy is in the log as well, which is copied after
 * it and read over it. The last transaction in the copied log may be cut off; SQLite leaves such a one out (SQLite, "WAL-mode
 * File Format").
 *
 * @param {string} file the database
 * @param {string} target where the copy goes; its log goes beside it
 * @throws {Error} when the log began anew during every attempt
 */
export async function snapshot(file, target) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await walHeader(file)
    await copyFile(file, target)
    await copyIfThere(`${file}-wal`, `${target}-wal`)
    if (before.equals(await walHeader(file))) return
  }
  throw new Error('The database changes too fast to be copied. Try again while less is written.')
}
