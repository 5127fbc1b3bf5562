import type { Data } from '#client/api'
import type { ServiceClient } from '#client/client'
import type { CatalogType } from '#client/records'
import { ServiceError } from '#client/service-error'

const FEED = '/admin/catalogs/v1/{type}/changes'

export type Change = Data<'get', typeof FEED>['items'][number]

/** How far a copy is complete. */
export interface Position {
  revision: number
  epoch: string
}

/** A page of changes. */
export interface MirrorStep {
  /** The copy must be emptied before these changes: it is new, or the service went back to an earlier state. */
  isFresh: boolean
  /** Each record as it is now, active or not: insert or replace it by its id. */
  changes: readonly Change[]
  /** On the last step: store it, together with the changes or after them. */
  position: Position | null
}

const CHANGES_AT_ONCE = 1000

const mustStartAgain = (error: unknown): boolean => error instanceof ServiceError && error.codes.includes('start_again')

/**
 * What has changed in a catalog since a position, in steps. A step may be applied twice without harm, so a program that
 * is stopped starts again from the position that it has stored.
 *
 * @param from null makes the copy from the start
 */
export async function* mirror(
  client: ServiceClient,
  type: CatalogType,
  from: Position | null,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<MirrorStep, void, undefined> {
  let cursor: string | undefined
  let first: number | undefined
  let epoch = from?.epoch
  for (let isFresh = from === null; ; isFresh = false) {
    let page: Data<'get', typeof FEED>
    try {
      const query = { since_revision: from?.revision ?? 0, limit: CHANGES_AT_ONCE, cursor, epoch }
      page = await client.get(FEED, { params: { type }, query, exact: 'rawJSON' in JSON, ...options })
    } catch (error) {
      if (!mustStartAgain(error)) throw error
      return yield* mirror(client, type, null, options)
    }
    first ??= page.revision
    epoch = page.epoch
    cursor = page.cursor ?? undefined
    const position = cursor === undefined ? { revision: first, epoch } : null
    yield { isFresh, changes: page.items, position }
    if (position !== null) return
  }
}
