import { pause } from '#worker/http/sharing/large-bodies'
import type { Database } from '#worker/storage/database'
import { nextPurge } from './workspace-rows'

/**
 * Deletes the rows of a workspace from a database, in steps that leave the database free for others.
 *
 * @param mayGoOn asked before each step; a later call does the rest
 * @returns number of steps, and whether all rows are gone
 */
export async function purgeRows(
  database: Database,
  workspaceId: string,
  mayGoOn: () => boolean,
): Promise<{ steps: number; done: boolean }> {
  for (let steps = 0; ; steps++) {
    if (!mayGoOn()) return { steps, done: false }
    const statements = await nextPurge(database, workspaceId)
    if (statements === null) return { steps, done: true }
    await database.retry(() => database.batch(statements))
    // Otherwise a database in the same process, as with `npm start`, keeps all other requests waiting to the end.
    await pause()
  }
}
