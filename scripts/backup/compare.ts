/** Compares a backup with a service, which is read in the same way as for a backup. */
import type { Sqlite } from '../database/sqlite.ts'
import { openDatabase, type Place } from '../database/target.ts'
import { type Digest, digestOf, type Run, unitsIn, workspacesIn } from '../database/units.ts'
import { openForReading, type ReadableBucket } from '../files/bucket.ts'
import { faultsOf, filesInUse, filesOf, folderOf, readIn, verify } from '../files/files.ts'
import { countText } from '../script.mjs'
import { type Trial, withTrials } from './trial.ts'

type Say = (text: string) => void

/** The difference between the rows of a unit, if there is one. */
function difference(name: string, backup: Digest, service: Digest): string[] {
  if (backup.digest === service.digest) return []
  return backup.rows === service.rows
    ? [`${name}: ${countText(backup.rows, 'row')} in both, and not the same`]
    : [`${name}: ${countText(backup.rows, 'row')} in the backup, ${service.rows.toLocaleString('en')} in the service`]
}

/**
 * Compares the rows of one database. Catalog IDs may differ.
 *
 * @param query runs a statement in the database of the service
 * @param workspaces the workspaces of the database
 * @returns also the number of rows in the backup
 */
async function compareRows(
  backup: Sqlite,
  query: Run,
  binding: string,
  workspaces: readonly string[],
): Promise<{ count: number; different: string[] }> {
  const units = await unitsIn(query)
  const named = [
    ...(binding === 'DB' ? units.control.map((unit) => ({ name: unit.name, unit })) : []),
    ...workspaces.flatMap((id) => units.of(id).map((unit) => ({ name: `${id}: ${unit.name}`, unit }))),
  ]
  const different: string[] = []
  let count = 0
  for (const { name, unit } of named) {
    const [ours, theirs] = [await digestOf(backup.query, unit), await digestOf(query, unit)]
    count += ours.rows
    different.push(...difference(`${binding}: ${name}`, ours, theirs))
  }
  return { count, different }
}

/** Compares one database and its files. @returns the differences */
function comparePart(
  place: Place,
  { binding, rows }: Trial,
  workspaces: readonly string[],
  folder: string,
  bucket: ReadableBucket,
  say: Say,
): Promise<string[]> {
  const service = openDatabase(place, binding)
  return service.withQueries(async (query) => {
    const { count, different } = await compareRows(rows, query, binding, workspaces)
    const files = filesOf(rows)
    const inBackup = await verify(files, readIn(folder))
    // A file that was deleted since then has no bytes to compare. Its table is different.
    const inService = await verify(await filesInUse(service.readNow, files), ({ key }) => bucket.get(key))
    say(
      `${binding}: ${countText(count, 'row')} of ${countText(workspaces.length, 'workspace')} compared, and the bytes ` +
        `of ${countText(files.length, 'document')}.`,
    )
    return [...different, ...faultsOf(inBackup, 'backup'), ...faultsOf(inService, 'service')]
  })
}

/**
 * Changes nothing.
 *
 * @param place place of the service
 * @param file of the backup
 * @throws Error naming the differences
 */
export const compare = (place: Place, file: string, say: Say): Promise<void> =>
  withTrials(place, file, async (trials) => {
    const bucket = await openForReading(place)
    const different: string[] = []
    try {
      for (const trial of trials) {
        const workspaces = workspacesIn(trials[0].rows, trial.binding)
        different.push(...(await comparePart(place, trial, workspaces, folderOf(file), bucket, say)))
      }
    } finally {
      await bucket.close()
    }
    if (different.length > 0) throw new Error(`The service differs from the backup:\n${different.join('\n')}`)
    say('The service is the same as the backup.')
  })
