/**
 * Compares a backup with a service. The backup is restored into a temporary database first, with all migrations, so
 * this also shows that it can be restored; the service is read as a backup reads it.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { backUpRows, withCopy } from '../database/backup-sql.mjs'
import { describeTables, dump, quotedName } from '../database/dump.mjs'
import { releaseOf } from '../database/release.mjs'
import { bringUp, openTrial, restoreRows } from '../database/restore-target.mjs'
import { tableOf } from '../database/statements.mjs'
import { openForReading } from '../files/bucket.mjs'
import { readIn, verify } from '../files/copy.mjs'
import { filesOf, folderOf, stillNamed } from '../files/stored-files.mjs'
import { writtenParts } from './parts.mjs'

/** Calls `work` with a new directory, and removes it. */
async function withDirectory(work) {
  const directory = await mkdtemp(path.join(tmpdir(), 'compare-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Calls `work` with a temporary database that a backup is restored into. */
const withTrial = (file, migration, work) =>
  withDirectory(async (directory) => {
    const trial = openTrial(path.join(directory, 'trial.sqlite'))
    try {
      await restoreRows(trial, file, migration)
      return await work(trial)
    } finally {
      await trial.close()
    }
  })

/** Calls `work` with what a database of the service holds now, brought up to this release. */
const withService = (target, work) =>
  target.remote
    ? withDirectory(async (directory) => {
        const file = path.join(directory, 'now.sql')
        await backUpRows(target, file)
        return withTrial(file, (await releaseOf(file)).migration, work)
      })
    : withCopy(target, async (copy) => {
        await bringUp(copy)
        return work(copy)
      })

/**
 * @param {import('../database/dump.mjs').Read} read
 * @returns {Promise<Map<string, { rows: number, digest: string }>>} by table
 */
async function digestsOf(read) {
  const tables = await describeTables(read)
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${quotedName(name)}) AS ${quotedName(name)}`)
  const [rows] = await read(`SELECT ${counts.join(', ')}`)
  const hashes = new Map(tables.map(({ name }) => [name, createHash('sha256')]))
  for await (const statement of dump(read, tables)) hashes.get(tableOf(statement))?.update(statement)
  return new Map(
    tables.map(({ name }, index) => [name, { rows: rows[index], digest: hashes.get(name).digest('hex') }]),
  )
}

const counted = (count, one) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

/** @returns {string[]} what is different, table by table */
function differences(backup, service) {
  return [...backup].flatMap(([table, { rows, digest }]) => {
    const other = service.get(table)
    if (other.digest === digest) return []
    return other.rows === rows
      ? [`${table}: ${counted(rows, 'row')} in both, and not the same`]
      : [`${table}: ${counted(rows, 'row')} in the backup, ${other.rows.toLocaleString('en')} in the service`]
  })
}

const faultsIn = (place, { missing, damaged }) => [
  ...missing.map(({ table, key }) => `missing in the ${place}: ${table} ${key}`),
  ...damaged.map(({ table, key }) => `damaged in the ${place}: ${table} ${key}`),
]

/** Compares one database and its files. @returns {Promise<string[]>} what is different */
const comparePart = ({ target, file, migration }, folder, bucket, say) =>
  withTrial(file, migration, (backup) =>
    withService(target, async (service) => {
      const [ours, theirs] = [await digestsOf(backup.read), await digestsOf(service.read)]
      const different = differences(ours, theirs)
      const files = await filesOf(file, backup.read)
      const inBackup = await verify(files, readIn(folder))
      // One that was deleted since has no bytes to compare. Its table is different.
      const inService = await verify(await stillNamed(service.read, files), ({ key }) => bucket.get(key))
      const rows = [...ours.values()].reduce((sum, table) => sum + table.rows, 0)
      say(
        `${target.database}: ${counted(ours.size, 'table')} with ${counted(rows, 'row')} compared, and the bytes of ` +
          `${counted(files.length, 'document')}.`,
      )
      return [
        ...different.map((text) => `${target.database}: ${text}`),
        ...faultsIn('backup', inBackup),
        ...faultsIn('service', inService),
      ]
    }),
  )

/**
 * Changes nothing.
 *
 * @param {Omit<import('../database/target.mjs').Target, 'database'>} place of the service
 * @param {string} file of the backup
 * @param {string | undefined} database only this one
 * @param {(text: string) => void} say
 * @throws {Error} naming what is different
 */
export async function compare(place, file, database, say) {
  const parts = await writtenParts(place, file, database)
  const bucket = await openForReading(place)
  const different = []
  try {
    for (const part of parts) different.push(...(await comparePart(part, folderOf(file), bucket, say)))
  } finally {
    await bucket.close()
  }
  if (different.length > 0) throw new Error(`The service is not as in the backup:\n${different.join('\n')}`)
  say('The service is as in the backup.')
}
