import { copyFile, open, rm } from 'node:fs/promises'

/** Bytes of the header of a write-ahead log. It holds salts that change each time the log starts again. */
const WAL_HEADER_BYTES = 32
/** Most attempts, when the log starts again during each copy. */
const ATTEMPTS = 20

/** The header of a database's log; empty when there is none. */
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
 * Copies a SQLite database in WAL mode while another process uses it, without a lock, so that neither blocks the
 * other.
 *
 * Pages reach the database file only from the log, and the log starts again only after all its pages are in the file.
 * So while its header stays the same, every page that was written into the database file during the copy is also in
 * the log. The log is copied after the file and overrides it. The last transaction in the copied log may be cut off;
 * SQLite ignores such a transaction (SQLite, "WAL-mode File Format").
 *
 * @param {string} file the database
 * @param {string} target where the copy goes; its log goes beside it
 * @throws {Error} when the log started again during every attempt
 */
export async function snapshot(file, target) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = await walHeader(file)
    await copyFile(file, target)
    await copyIfThere(`${file}-wal`, `${target}-wal`)
    if (before.equals(await walHeader(file))) return
  }
  throw new Error('The database changes too fast to be copied. Try again when it has fewer writes.')
}
