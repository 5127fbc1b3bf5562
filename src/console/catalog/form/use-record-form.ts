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
  const [changedByOthers, setChangedByOthers] = useState<readonly Field[]>()
  const record = { ...base, ...changes }
  const whole = isNew ? withTrimmedId(type, record) : record

  const showRefused = (found: RecordErrors) => {
    setRefused(found)
    focusFirst(type, found)
  }

  // What was loaded of the catalog before is out of date when it is saved.
  const saving = useMutation({
    mutationFn: (sent: RawRecord) => saveRecord(client, type, sent, isNew ? null : String(base.updated_at)),
    onSuccess: (saved, sent) => {
      if (saved.is === 'taken') return showRefused({ [type.idField]: TAKEN })
      if (saved.is === 'changed') {
        const current = recordForForm(saved.current)
        setChangedByOthers(differingFields(type, base, current))
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
    version: String(base.updated_at),
    isChanged: Object.keys(changes).length > 0,
    errors: { ...refused, ...(isAttempted && check(whole)) },
    /** After a save that was refused because somebody else had changed the record: in which fields. */
    changedByOthers,
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
      setChangedByOthers(undefined)
      const found = check(whole)
      if (hasErrors(found)) focusFirst(type, found)
      else saving.mutate(whole)
    },
  }
}

export type RecordFormState = ReturnType<typeof useRecordForm>
