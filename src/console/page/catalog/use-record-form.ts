import { useMemo, useState } from 'react'
import type { Field, RawRecord, RecordType } from '#records/record-type'
import type { WriteResult } from '../service/answers'
import { differingFields, isSameValue, recordForForm, withTrimmedId } from './form-record'
import { focusFirst, hasErrors, type RecordErrors, recordCheck, refusedFields } from './record-errors'
import { useRecordSaving } from './use-record-saving'

export interface RecordFormState {
  /** With the changes that were made so far. */
  record: RawRecord
  /** Changes with every state of the stored record that the form is based on. */
  version: string
  isChanged: boolean
  errors: RecordErrors
  /** After a save that was refused because somebody else had changed the record: in which fields. */
  changedByOthers: readonly Field[] | undefined
  isSaving: boolean
  /** Of the last attempt to save; not for refusals that are shown at a field. */
  error: Error | null
  change(name: string, value: unknown): void
  submit(): void
}

interface RecordFormOptions {
  type: RecordType
  /** As it was read; for a new one as it begins. */
  initial: RawRecord
  isNew: boolean
  onSaved: (id: string, result: WriteResult) => void
}

/** The state of the form for one record: what was changed, whether it is valid, and saving it. */
export function useRecordForm({ type, initial, isNew, onSaved }: RecordFormOptions): RecordFormState {
  const check = useMemo(() => recordCheck(type, isNew), [type, isNew])
  const [base, setBase] = useState(() => recordForForm(initial))
  const [changes, setChanges] = useState<RawRecord>({})
  const [isAttempted, setAttempted] = useState(false)
  const [refused, setRefused] = useState<RecordErrors>({})
  const [changedByOthers, setChangedByOthers] = useState<readonly Field[]>()
  const record = { ...base, ...changes }
  const whole = isNew ? withTrimmedId(type, record) : record

  const saving = useRecordSaving({
    type,
    readAt: isNew ? null : String(base.updated_at),
    onSaved,
    onRefused: (found) => {
      setRefused(found)
      focusFirst(type, found)
    },
    onChanged: (stored) => {
      const current = recordForForm(stored)
      setChangedByOthers(differingFields(type, base, current))
      setBase(current)
    },
  })

  return {
    record,
    version: String(base.updated_at),
    isChanged: Object.keys(changes).length > 0,
    errors: { ...refused, ...(isAttempted ? check(whole) : {}) },
    changedByOthers,
    isSaving: saving.isPending,
    error: hasErrors(refusedFields(saving.error)) ? null : saving.error,
    change: (name, value) => {
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
