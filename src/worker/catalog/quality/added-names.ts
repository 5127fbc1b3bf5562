import { type SQL, sql } from 'drizzle-orm'
import { ApiError, invalidField } from '#shared/errors/errors'
import { MAX_ADDED_NAME_CHARACTERS, MAX_ADDED_NAMES } from '#shared/limits'
import { addedNamesIn, addedNamesText, normalizedText } from '#shared/records/search/added-names'
import type { ReturnedRecord } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { getRecord, noSuchRecord } from '#worker/catalog/read/list'
import { commit, unknownWrite } from '#worker/catalog/write/commit'
import { describeWrite, type NewWrite, type WriteSql } from '#worker/catalog/write/sql/fragments'
import { changedMeanwhile, isStaleState } from '#worker/catalog/write/sql/state'
import { recordBytes, transactionOf } from '#worker/catalog/write/sql/write'
import { deleteMisses } from '#worker/search/misses'
import type { CatalogKey } from '#worker/storage/catalog-key'
import type { Deadline } from '#worker/storage/deadline'

/** Names that users add to a record (docs/contract.md#added-names). Each change is a separate write. */

export type NameRequest = Pick<NewWrite, 'createdBy' | 'requestId' | 'now' | 'keepsVersions'>

/** @throws ApiError 400 for a text without anything to search for, or that is too long */
function requireName(text: string): string {
  const name = normalizedText(text)
  if (name === '') throw invalidField('text', 'malformed', 'must contain a letter or a digit', text)
  if ([...name].length > MAX_ADDED_NAME_CHARACTERS) {
    const msg = `must have at most ${MAX_ADDED_NAME_CHARACTERS} characters`
    throw invalidField('text', 'too_long', msg, text, { limit: MAX_ADDED_NAME_CHARACTERS })
  }
  return name
}

/** A change of the added names of a record. */
interface NameChange {
  /** Returns the new names, or the same list if nothing changes. */
  apply: (names: readonly string[]) => readonly string[]
  /** Texts that searches find from now on. */
  found: readonly string[]
}

/** Adds a name unless the record has it, and removes the text from the searches without a match. */
export function additionOf(text: string): NameChange {
  const name = requireName(text)
  const apply = (names: readonly string[]) => {
    if (names.includes(name)) return names
    if (names.length < MAX_ADDED_NAMES) return [...names, name]
    throw new ApiError(
      'conflict',
      `The record already has ${MAX_ADDED_NAMES} added names. Nothing was changed. Delete one of them first.`,
    )
  }
  return { apply, found: [name] }
}

/** Deletes a name; 404 if the record does not have it. */
export function deletionOf(text: string): NameChange {
  const name = normalizedText(text)
  const apply = (names: readonly string[]) => {
    if (!names.includes(name)) throw new ApiError('not_found', 'The record does not have this added name.')
    return names.filter((each) => each !== name)
  }
  return { apply, found: [] }
}

/** Attempts at a change if other writes of the catalog come between. */
const MOST_ATTEMPTS = 3

/** @throws ApiError 404 if there is no such record; 409 if other writes keep coming between, or for too many names */
export async function changeNames(
  catalog: Catalog,
  id: string,
  { apply, found }: NameChange,
  request: NameRequest,
  deadline: Deadline,
): Promise<ReturnedRecord> {
  const { db, catalogKey } = catalog
  for (let attempt = 1; ; attempt++) {
    const [row] = await db.all(namesOf(catalogKey, id))
    if (row === undefined) throw noSuchRecord(catalog.type, id)
    const names = addedNamesIn(row.added_names)
    const changed = apply(names)
    if (changed === names) break
    const newWrite = nameWrite(row.epoch, request)
    const write = describeWrite(catalogKey, newWrite)
    const namesSet = setNames(write, id, addedNamesText(changed))
    const statements = transactionOf(write, [namesSet, deleteMisses(catalogKey, found)], 0)
    try {
      await deadline.whileWriting(
        () => commit(catalog, newWrite, statements),
        unknownWrite(catalogKey, newWrite.batchId),
      )
      break
    } catch (error) {
      if (!isStaleState(error)) throw error
      if (attempt === MOST_ATTEMPTS) throw changedMeanwhile(error)
    }
  }
  return (await getRecord(catalog, id)).record
}

const namesOf = ({ workspaceId, type }: CatalogKey, id: string): SQL<{ epoch: string; added_names: string }> =>
  sql`select epoch, added_names
    from catalogs cross join records on records.catalog_id = catalogs.catalog_id and record_id = ${id}
    where workspace_id = ${workspaceId} and type = ${type}`

const nameWrite = (epoch: string, request: NameRequest): NewWrite => ({
  ...request,
  batchId: crypto.randomUUID(),
  format: 'added_name',
  mode: 'upsert',
  fileName: null,
  sizeBytes: 0,
  fileDigest: null,
  warnings: 0,
  warningList: null,
  expectedRevision: null,
  expectedEpoch: epoch,
  maxShrink: null,
  emptiedGuard: null,
  key: null,
  restoredRevision: null,
  approvalId: null,
  total: 1,
})

const setNames = ({ catalog, writtenAt }: WriteSql, id: string, names: string): SQL =>
  sql`update records set added_names = ${names}, written_at = ${writtenAt}, position = 0, was_active = is_active,
      emptied = 0, size_before = ${recordBytes}, text_changed = 1
    where catalog_id = ${catalog} and record_id = ${id}`
