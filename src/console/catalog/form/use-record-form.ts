import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { sentRecord } from '#client/api'
import type { ServiceClient } from '#client/client'
import { hasStatus } from '#client/service-error'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { invalidateCatalog } from '../../queries'
import { isEmpty } from '../../record/field-groups'
import { withoutRepeatedName } from '../../record/short-texts'
import { type CatalogState, expecting, type WriteResult } from '../../service/answers'
import { useSession } from '../../session-context'
import { type FieldMessages, hasMessages, refusedFields } from '../../widgets/form'
import { readRecord } from '../use-record'
import { differingFields, isSameValue, recordCheck, withTrimmedId } from './form-record'

const TAKEN = 'exists already: open that record to change it'

/** Someone else's changes to a record while it was edited. */
export interface Conflict {
  /** The record as it was loaded. */
  before: RawRecord
  theirs: RawRecord
  fields: readonly Field[]
}

/**
 * The fields to send for a changed record; the others are kept as stored. `is_active` is always sent, because a record
 * without it becomes active. A display name that repeats the name changes with it.
 */
const changedFields = ({ idField }: RecordType, base: RawRecord, changes: RawRecord): RawRecord => ({
  [idField]: base[idField],
  is_active: base.is_active,
  ...('name' in changes && { display_name: base.display_name }),
  ...changes,
})

interface RecordFormOptions {
  type: RecordType
  /** As it was loaded; for a new record, its initial values. */
  initial: RawRecord
  isNew: boolean
  onSaved: (id: string, result: WriteResult) => void
}

/** The state of a form for one record, with functions to change and save it. */
export function useRecordForm({ type, initial, isNew, onSaved }: RecordFormOptions) {
  const { client } = useSession()
  const queries = useQueryClient()
  const check = useMemo(() => recordCheck(type, isNew), [type, isNew])
  const [base, setBase] = useState(() => withoutRepeatedName(initial))
  const [changes, setChanges] = useState<RawRecord>({})
  /** How often the user has tried to save, or the service has rejected it. */
  const [refusalCount, setRefusalCount] = useState(0)
  const [refusals, setRefusals] = useState<FieldMessages>({})
  const [conflict, setConflict] = useState<Conflict>()
  /** How often typed values were replaced by stored values. Each time, the inputs are created again. */
  const [replacements, setReplacements] = useState(0)
  const record = { ...base, ...changes }
  const whole = isNew ? withTrimmedId(type, record) : record
  const sentFields = isNew ? whole : changedFields(type, base, changes)

  const showRefusals = (messages: FieldMessages) => {
    setRefusals(messages)
    setRefusalCount((count) => count + 1)
  }

  // When it is saved, data loaded from the catalog is outdated.
  const saving = useMutation({
    mutationFn: () => saveRecord(client, type, sentFields, isNew ? null : String(base.updated_at)),
    onSuccess: (outcome) => {
      if (outcome.is === 'taken') return showRefusals({ [type.idField]: TAKEN })
      if (outcome.is === 'changed') {
        const current = withoutRepeatedName(outcome.current)
        setConflict({ before: base, theirs: current, fields: differingFields(type, base, current) })
        setBase(current)
        return
      }
      const id = String(sentFields[type.idField])
      queries.removeQueries({ queryKey: ['record', type.name, id] })
      // The next page reloads what it shows.
      void invalidateCatalog(queries, type)
      onSaved(id, outcome.result)
    },
    onError: (error) => showRefusals(refusedFields(error)),
  })

  return {
    /** Includes the changes so far. */
    record,
    /** Changes with every stored state that the form is based on. */
    version: `${base.updated_at} ${replacements}`,
    isChanged: Object.keys(changes).length > 0,
    errors: { ...refusals, ...(refusalCount > 0 && check(whole)) },
    refusal: refusalCount,
    /** What someone else has changed in the meantime, which is why the last save was rejected. */
    conflict,
    /** The typed value of a field, if it differs from the stored value. */
    mineOf: (name: string): unknown => changes[name],
    /** Keeps someone else's value of a field. */
    takeTheirs: (name: string) => {
      setChanges(({ [name]: _, ...others }) => others)
      setReplacements((count) => count + 1)
    },
    isSaving: saving.isPending,
    /** The error of the last attempt to save, unless it is shown at a field. */
    error: hasMessages(refusedFields(saving.error)) ? null : saving.error,
    change: (name: string, value: unknown) => {
      setRefusals(({ [name]: _, ...others }) => others)
      setChanges(({ [name]: _, ...others }) => (isSameValue(value, base[name]) ? others : { ...others, [name]: value }))
    },
    submit: () => {
      if (saving.isPending) return
      showRefusals({})
      setConflict(undefined)
      if (!hasMessages(check(whole))) saving.mutate()
    },
  }
}

export type RecordFormState = ReturnType<typeof useRecordForm>

/** The outcome of saving a record. Only `saved` has written anything. */
type SaveOutcome =
  | { is: 'saved'; result: WriteResult }
  /** Someone else has changed it since it was loaded. */
  | { is: 'changed'; current: RawRecord }
  /** Another record already has the new record's ID. */
  | { is: 'taken' }

/**
 * Whether a stored record already contains everything to be written: an earlier attempt has written it, but its
 * response was lost.
 */
function hasAll(current: RawRecord, record: RawRecord): boolean {
  const stored = withoutRepeatedName(current)
  return Object.entries(record).every(
    ([name, value]) => isSameValue(value, stored[name]) || (isEmpty(value) && isEmpty(stored[name])),
  )
}

/** Most attempts to write, if other records of the catalog are written at the same moment. */
const ATTEMPTS = 5

const findRecord = (client: ServiceClient, type: RecordType, id: string): Promise<RawRecord | undefined> =>
  readRecord(client, type, id).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined
    throw error
  })

/**
 * Writes a record, unless someone else has changed it in the meantime. A write can only depend on the state of the
 * catalog, not of a record. Therefore this reads both, and starts again if anything was written since.
 *
 * @param readAt `updated_at` of the record as it was loaded; null for a new record
 * @throws ServiceError 400 with the failing fields; 409 if the catalog is constantly being written
 */
async function saveRecord(
  client: ServiceClient,
  type: RecordType,
  record: RawRecord,
  readAt: string | null,
): Promise<SaveOutcome> {
  const write = (state: CatalogState) =>
    client.post('/admin/datasets/v1/', {
      query: { type: type.name, keep_missing: readAt !== null, ...expecting(state) },
      body: [sentRecord(record)],
    })
  for (let attempt = 1; ; attempt++) {
    const state = await client.get('/admin/catalogs/v1/{type}', { params: { type: type.name } })
    const current = await findRecord(client, type, String(record[type.idField]))
    const isOther = current !== undefined && !hasAll(current, record)
    if (readAt === null && isOther) return { is: 'taken' }
    if (isOther && current.updated_at !== readAt) return { is: 'changed', current }
    try {
      return { is: 'saved', result: await write(state) }
    } catch (error) {
      if (!hasStatus(error, 409) || attempt === ATTEMPTS) throw error
    }
  }
}
