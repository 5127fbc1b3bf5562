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

/** What somebody else has changed in a record while it was edited. */
export interface Conflict {
  /** The record as it was read. */
  before: RawRecord
  theirs: RawRecord
  fields: readonly Field[]
}

/**
 * What is sent of a changed record: the rest stays as it is stored. Whether it is active is always sent, because a
 * record that does not say so is active. A display name that repeats the name changes with it.
 */
const changedFields = ({ idField }: RecordType, base: RawRecord, changes: RawRecord): RawRecord => ({
  [idField]: base[idField],
  is_active: base.is_active,
  ...('name' in changes && { display_name: base.display_name }),
  ...changes,
})

interface RecordFormOptions {
  type: RecordType
  /** As it was read; for a new one as it begins. */
  initial: RawRecord
  isNew: boolean
  onSaved: (id: string, result: WriteResult) => void
}

/** The state of a form for one record, and what changes and saves it. */
export function useRecordForm({ type, initial, isNew, onSaved }: RecordFormOptions) {
  const { client } = useSession()
  const queries = useQueryClient()
  const check = useMemo(() => recordCheck(type, isNew), [type, isNew])
  const [base, setBase] = useState(() => withoutRepeatedName(initial))
  const [changes, setChanges] = useState<RawRecord>({})
  /** How often the person has tried to save, or the service has refused it. */
  const [refusalCount, setRefusalCount] = useState(0)
  const [refusals, setRefusals] = useState<FieldMessages>({})
  const [conflict, setConflict] = useState<Conflict>()
  /** How often typed values were replaced by the stored ones. Each time the inputs are made again. */
  const [replacements, setReplacements] = useState(0)
  const record = { ...base, ...changes }
  const whole = isNew ? withTrimmedId(type, record) : record
  const sentFields = isNew ? whole : changedFields(type, base, changes)

  const showRefusals = (messages: FieldMessages) => {
    setRefusals(messages)
    setRefusalCount((count) => count + 1)
  }

  // What was loaded of the catalog before is out of date when it is saved.
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
      // The page that follows reads what it shows.
      void invalidateCatalog(queries, type)
      onSaved(id, outcome.result)
    },
    onError: (error) => showRefusals(refusedFields(error)),
  })

  return {
    /** With the changes that were made so far. */
    record,
    /** Changes with every state of the stored record that the form is based on. */
    version: `${base.updated_at} ${replacements}`,
    isChanged: Object.keys(changes).length > 0,
    errors: { ...refusals, ...(refusalCount > 0 && check(whole)) },
    refusal: refusalCount,
    /** What somebody else has changed meanwhile: the last save was refused for it. */
    conflict,
    /** What is typed for a field, if it is not what is stored. */
    mineOf: (name: string): unknown => changes[name],
    /** What somebody else has written in a field stays. */
    takeTheirs: (name: string) => {
      setChanges(({ [name]: _, ...others }) => others)
      setReplacements((count) => count + 1)
    },
    isSaving: saving.isPending,
    /** Of the last attempt to save; not for refusals that are shown at a field. */
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

/** How saving a record ended. Only `saved` has written something. */
type SaveOutcome =
  | { is: 'saved'; result: WriteResult }
  /** Another person has changed it since it was read. */
  | { is: 'changed'; current: RawRecord }
  /** Another record has the id of the new one. */
  | { is: 'taken' }

/**
 * Whether a stored record has all that would be written: then an earlier attempt has written it whose answer was lost.
 */
function hasAll(current: RawRecord, record: RawRecord): boolean {
  const stored = withoutRepeatedName(current)
  return Object.entries(record).every(
    ([name, value]) => isSameValue(value, stored[name]) || (isEmpty(value) && isEmpty(stored[name])),
  )
}

/** How often a write is tried again because another record of the catalog was written at the same moment. */
const ATTEMPTS = 5

const findRecord = (client: ServiceClient, type: RecordType, id: string): Promise<RawRecord | undefined> =>
  readRecord(client, type, id).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined
    throw error
  })

/**
 * Writes a record, unless somebody else has changed it in the meantime. A write can depend on the state of the catalog,
 * not on that of a record: so this reads both, and begins again if anything was written since.
 *
 * @param readAt `updated_at` of the record as it was read; null for a new one
 * @throws ServiceError 400 with the fields that fail; 409 if the catalog is written to all the time
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
