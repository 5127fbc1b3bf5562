import { ApiError, invalidField } from '#errors'
import { MAX_JSON_RECORDS } from '#limits'
import type { RawRecord } from './record-type'
import type { RecordSource, SourceRecord } from './source'

/**
 * The records of a JSON body (docs/contract.md#write-bodies).
 *
 * @param body parsed JSON; reading empties its list, to free memory
 * @throws ApiError 400 when there is no list, or when it is too long to be valid
 */
export function jsonSource(body: unknown): RecordSource {
  const list = Array.isArray(body) ? body : listIn(body as Wrapper | null)
  if (!Array.isArray(list)) {
    throw new ApiError(
      'invalid_request',
      'The body must be a list of records, or an object with the list as `records` or `items`.',
    )
  }
  if (list.length > MAX_JSON_RECORDS) {
    throw invalidField(
      null,
      'too_many',
      `The list has more than ${MAX_JSON_RECORDS} elements; send them in several requests.`,
    )
  }
  return { format: 'json', warnings: [], errors: [], unread: new Set(), records: elements(list) }
}

type Wrapper = { records?: unknown; items?: unknown }

const listIn = (body: Wrapper | null): unknown => body?.records ?? body?.items

function* elements(list: unknown[]): Generator<SourceRecord> {
  for (let index = 0; index < list.length; index++) {
    const record = list[index]
    list[index] = undefined
    yield { index, record, sent: (field) => (record as RawRecord)[field], errors: [] }
  }
}
