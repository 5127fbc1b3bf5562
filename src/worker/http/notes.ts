import { type ApiError, type ErrorItem, listedErrors } from '#shared/errors/errors'
import { recordTypes } from '#shared/records/record-types'
import type { AppContext, Notes } from './context'

/** Adds to the log line of the request. */
export const note = (c: AppContext, notes: Notes): void => void Object.assign(c.var.notes, notes)

const FIELD_NAMES: ReadonlySet<string> = new Set(
  Object.values(recordTypes).flatMap(({ fields }) => fields.map(({ name }) => name)),
)

function itemNotes(item: ErrorItem): Notes {
  if (!('msg' in item)) {
    const { code, ...figures } = item
    return { outcome: code, ...figures }
  }
  // Other names come from the caller: columns, members and parameters that nobody knows.
  const field = item.field !== null && FIELD_NAMES.has(item.field) ? item.field : null
  return { outcome: 'invalid', code: item.code, field, index: item.index }
}

/** What was refused, and why: the first error, if there are several. */
export function refusalNotes(refusal: ApiError): Notes {
  const first = refusal.details.noted ?? listedErrors(refusal)[0]
  if (first === undefined) return { outcome: refusal.code }
  return 'outcome' in first ? { ...first } : itemNotes(first)
}
