import { changesIn } from '../../changes/counts'
import type { CatalogState, CatalogStatus, Write } from '../../service/answers'
import type { HeldFile, UploadClient } from './held-file'

/** A write whose answer did not arrive. */
export interface AwaitedWrite {
  type: CatalogStatus['type']
  fileName: string
  mode: Write['mode']
  /** Rows with data. */
  rows: number
  /** The state of the catalog on which it was to be written. */
  before: CatalogState
  /** The file, if it waited in the service. */
  held: HeldFile | undefined
}

/** The state that the write has made; `not written`, so far; or `unknown`: the service cannot be asked. */
export type Found = CatalogState | 'not written' | 'unknown'

/** How long to wait before each look, in milliseconds: the service may still be at work. */
const WAITS_MS = [0, 700, 1500]

/** Writes that are looked at, the newest first: others may have written since. */
const WRITES = 50

/** A write depends on the state before it, so it is the one that made the next revision, or none. */
async function listedRevision(
  client: UploadClient,
  { type, fileName, mode, rows, before }: AwaitedWrite,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { items } = await client.get('/admin/catalogs/v1/{type}/writes', {
    params: { type },
    query: { limit: WRITES },
    signal,
  })
  const next = items.find((write) => write.revision === before.revision + 1 && changesIn(write) > 0)
  const isOurs = next?.file_name === fileName && next.mode === mode && next.total === rows
  return isOurs ? next.revision : undefined
}

async function lookOnce(
  client: UploadClient,
  awaited: AwaitedWrite,
  signal: AbortSignal,
): Promise<CatalogState | 'not written'> {
  // A file that waited says itself what became of it, unless it had to be sent once more.
  const ownRevision = await awaited.held?.revision(signal)
  const revision = ownRevision ?? (await listedRevision(client, awaited, signal))
  if (revision === undefined) return 'not written'
  const { epoch } = await client.get('/admin/catalogs/v1/{type}', { params: { type: awaited.type }, signal })
  return { revision, epoch }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Looks whether a write whose answer was lost was carried out. */
export async function findWrite(
  client: UploadClient,
  awaited: AwaitedWrite,
  signal: AbortSignal,
): Promise<Found> {
  let found: Found = 'unknown'
  for (const ms of WAITS_MS) {
    if (ms > 0) await wait(ms)
    try {
      found = await lookOnce(client, awaited, signal)
    } catch {
      // The line is still down: the next look may get through.
      found = 'unknown'
    }
    if (typeof found !== 'string' || signal.aborted) break
  }
  return found
}
