import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { catalogChanged } from '../../catalog-changed'
import type { WriteResult } from '../../service/answers'
import { useSession } from '../../session'
import { differingFields, isSameValue, recordForForm, withTrimmedId } from './form-record'
import { focusFirst, hasErrors, type RecordErrors, recordCheck, refusedFields } from './record-errors'
import { saveRecord } from './save-record'

const TAKEN = 'exists already: open that record to change it'

/** What somebody else has changed of a record while it was edited. */
export interface Conflict {
  /** The record as it was read. */
  before: RawRecord
  /** As it is now. */
  theirs: RawRecord
  /** The fields in which the two differ. */
  fields: readonly Field[]
}

/**
 * What is sent of a record: the rest stays as it is stored. Whether it is in use is sent always, because a record that
 * does not say it is. A display name that follows the name follows the new one.
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

export function useRecordForm({ type, initial, isNew, onSaved }: RecordFormOptions) {
  const { client } = useSession()
  const queries = useQueryClient()
  const check = useMemo(() => recordCheck(type, isNew), [type, isNew])
  const [base, setBase] = useState(() => recordForForm(initial))
  const [changes, setChanges] = useState<RawRecord>({})
  const [isAttempted, setAttempted] = useState(false)
  const [refused, setRefused] = useState<RecordErrors>({})
  const [conflict, setConflict] = useState<Conflict>()
  /** How often a value that was typed was given up for the stored one: the inputs begin anew. */
  const [taken, setTaken] = useState(0)
  const record = { ...base, ...changes }
  const whole = isNew ? withTrimmedId(type, record) : record
  const sent = isNew ? whole : changedFields(type, base, changes)

  const showRefused = (found: RecordErrors) => {
    setRefused(found)
    focusFirst(type, found)
  }

  // What was loaded of the catalog before is out of date when it is saved.
  const saving = useMutation({
    mutationFn: () => saveRecord(client, type, sent, isNew ? null : String(base.updated_at)),
    onSuccess: (saved) => {
      if (saved.is === 'taken') return showRefused({ [type.idField]: TAKEN })
      if (saved.is === 'changed') {
        const current = recordForForm(saved.current)
        setConflict({ before: base, theirs: current, fields: differingFields(type, base, current) })
        setBase(current)
        return
      }
      const id = String(sent[type.idField])
      queries.removeQueries({ queryKey: ['record', type.name, id] })
      // The page that follows reads what it shows.
      void catalogChanged(queries, type)
      onSaved(id, saved.result)
    },
    onError: (error) => showRefused(refusedFields(error)),
  })

  return {
    /** With the changes that were made so far. */
    record,
    /** Changes with every state of the stored record that the form is based on. */
    version: `${base.updated_at} ${taken}`,
    isChanged: Object.keys(changes).length > 0,
    errors: { ...refused, ...(isAttempted && check(whole)) },
    /** What somebody else has changed meanwhile: the last save was refused for it. */
    conflict,
    /** What is typed for a field, if it is not what is stored. */
    mineOf: (name: string): unknown => changes[name],
    /** What somebody else has written in a field stays. */
    takeTheirs: (name: string) => {
      setChanges(({ [name]: _, ...others }) => others)
      setTaken((count) => count + 1)
    },
    isSaving: saving.isPending,
    /** Of the last attempt to save; not for refusals that are shown at a field. */
    error: hasErrors(refusedFields(saving.error)) ? null : saving.error,
    change: (name: string, value: unknown) => {
      setRefused(({ [name]: _, ...others }) => others)
      setChanges(({ [name]: _, ...others }) =>
        isSameValue(value, base[name]) ? others : { ...others, [name]: value },
      )
    },
    submit: () => {
      if (saving.isPending) return
      setAttempted(true)
      setRefused({})
      setConflict(undefined)
      const found = check(whole)
      if (hasErrors(found)) focusFirst(type, found)
      else saving.mutate()
    },
  }
}

export type RecordFormState = ReturnType<typeof useRecordForm>
