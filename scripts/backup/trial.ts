/** A trial restore of a backup on this machine, before a service is changed or compared with it. */
import path from 'node:path'
import { loadBackup, partName } from '../database/backup-file.ts'
import { openSqlite, type Sqlite } from '../database/sqlite.ts'
import { isFile, type Place, partsOf } from '../database/target.ts'
import { withDirectory } from '../temporary-directory.mjs'

/** A backup in a temporary database of this machine, migrated to this release. */
export interface Trial {
  binding: string
  rows: Sqlite
  /** The file of `rows`. */
  copy: string
}

/**
 * @param file of the backup
 * @throws Error if a file is missing, truncated, changed, or from another backup or release, or if one more is needed
 */
export async function withTrials<T>(
  place: Place,
  file: string,
  work: (trials: [Trial, ...Trial[]]) => Promise<T>,
): Promise<T> {
  const parts = partsOf(place, file)
  for (const { binding, file: part } of parts)
    if (!(await isFile(part))) throw new Error(`There is no file ${part} for ${binding}. Nothing was changed.`)
  return withDirectory(async (directory: string) => {
    const trials: Trial[] = []
    let time: string | undefined
    try {
      for (const { binding, file: part } of parts) {
        const copy = path.join(directory, `${binding}.sqlite`)
        const rows = openSqlite(copy)
        trials.push({ binding, rows, copy })
        const name = await loadBackup(rows, part)
        time ??= name?.split(' at ')[1]
        const wanted = partName(binding, parts, time)
        if (name !== wanted)
          throw new Error(`${part} is ${name}, and should be ${wanted}. Nothing was changed. See docs/backups.md.`)
      }
      return await work(trials as [Trial, ...Trial[]])
    } finally {
      for (const { rows } of trials) rows.close()
    }
  })
}
