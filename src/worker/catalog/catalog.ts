import { shorten } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import { RECORD_TYPES, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import type { AppContext } from '#worker/http/context'
import { catalogDatabaseOf } from '#worker/http/databases'
import { addToLog } from '#worker/http/log'
import type { CatalogKey } from '#worker/storage/catalog-key'
import type { Database } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { deliverNow } from '#worker/webhooks/deliver'

export interface Catalog {
  db: Database
  catalogKey: CatalogKey
  type: RecordType
  /** Sends the messages of a completed write, without delaying its response. */
  sendMessages: () => void
}

/** The catalog of a request. The workspace comes from the credential alone. */
export function catalogOf(c: AppContext, type: RecordTypeName, db = catalogDatabaseOf(c)): Catalog {
  addToLog(c, { type })
  return {
    db,
    catalogKey: { workspaceId: c.var.caller.workspaceId, type },
    type: recordTypes[type],
    sendMessages: () => {
      c.executionCtx.waitUntil(deliverNow(c.env, c.var.caller, new Meter()))
    },
  }
}

/** The catalog in a path. @throws ApiError 404 for an unknown type */
export function catalogNamed(c: AppContext, name: string): Catalog {
  const type = RECORD_TYPES.find((typeName) => typeName === name)
  if (type === undefined) {
    throw new ApiError(
      'not_found',
      `There is no catalog "${shorten(name)}"; the catalogs are ${RECORD_TYPES.join(', ')}.`,
    )
  }
  return catalogOf(c, type)
}
