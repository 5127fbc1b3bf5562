import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { RecordRules } from '../../../catalog/record-rules'
import type { Field, RawRecord, RecordType } from '../../../catalog/record-type'
import type { WriteResult } from '../service/answers'
import { ServiceError } from '../service/service-error'
import { useSession } from '../session'
import { differingFields, isSameValue, recordForForm } from './form-record'
import { saveRecord } from './save-record'

/** Why fields are not acceptable, by their names. */
type Faults = Readonly<Record<string, string>>

export interface RecordFormState {
  /** With the changes that were made so far. */
  record: RawRecord
  /** Changes with every state of the stored record that the form is based on. */
  version: string
  isChanged: boolean
  faults: Faults
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

const TAKEN = 'exists already: open that record to change it'
/** The address of a record ends with its id, and browsers take these two out of an address. */
const UNREACHABLE_IDS: readonly unknown[] = ['.', '..']

/** The fields that the service refuses. */
const faultsOf = (error: ServiceError): Faults =>
  Object.fromEntries(
    error.errors.flatMap((item) => ('msg' in item && item.field !== null ? [[item.field, item.msg]] : [])),
  )

export const inputId = (name: string): string => `field-${name}`

/** The state of the form for one record: what was changed, whether it is valid, and saving it. */
export function useRecordForm({ type, initial, isNew, onSaved }: RecordFormOptions): RecordFormState {
  const { client } = useSession()
  const queries = useQueryClient()
  const rules = useMemo(() => new RecordRules(type), [type])
  const [base, setBase] = useState(() => recordForForm(initial))
  const [changes, setChanges] = useState<RawRecord>({})
  const [isAttempted, setAttempted] = useState(false)
  const [refused, setRefused] = useState<Faults>({})
  const [changedByOthers, setChangedByOthers] = useState<readonly Field[]>()
  const record = { ...base, ...changes }
  // White space around an id is never meant, and nobody finds the record again; the ids of a file are trimmed too.
  const trimmed = (whole: RawRecord): RawRecord => {
    const id = whole[type.idField]
    return isNew && typeof id === 'string' ? { ...whole, [type.idField]: id.trim() } : whole
  }

  const check = (checked: RawRecord): Faults => {
    const failures = rules.check(checked).map(({ field, msg }) => [field, msg])
    if (isNew && UNREACHABLE_IDS.includes(checked[type.idField]))
      failures.push([type.idField, 'must not be dots alone'])
    return Object.fromEntries(failures)
  }

  const saving = useMutation({
    mutationFn: (whole: RawRecord) => saveRecord(client, type, whole, isNew ? null : String(base.updated_at)),
    onSuccess: (saved, whole) => {
      if (saved.is === 'taken') return refuse({ [type.idField]: TAKEN })
      if (saved.is === 'changed') {
        const current = recordForForm(saved.current)
        setChangedByOthers(differingFields(type, base, current))
        setBase(current)
        return
      }
      const id = String(whole[type.idField])
      queries.removeQueries({ queryKey: ['record', type.name, id] })
      for (const name of ['records', 'partner-search'])
        queries.invalidateQueries({ queryKey: [name, type.name] })
      onSaved(id, saved.result)
    },
    onError: (error) => {
      if (error instanceof ServiceError && error.status === 400) refuse(faultsOf(error))
    },
  })

  const faults: Faults = { ...refused, ...(isAttempted ? check(trimmed(record)) : {}) }

  function refuse(found: Faults): void {
    setRefused(found)
    focusFirst(type, found)
  }

  const isShownAtField =
    saving.error instanceof ServiceError && Object.keys(faultsOf(saving.error)).length > 0
  return {
    record,
    version: String(base.updated_at),
    isChanged: Object.keys(changes).length > 0,
    faults,
    changedByOthers,
    isSaving: saving.isPending,
    error: isShownAtField ? null : saving.error,
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
      const whole = trimmed(record)
      const found = check(whole)
      if (Object.keys(found).length > 0) focusFirst(type, found)
      else saving.mutate(whole)
    },
  }
}

/** Leads to the first input that is not as it should be. */
function focusFirst({ fields }: RecordType, faults: Faults): void {
  const first = fields.find(({ name }) => name in faults)
  if (first !== undefined) document.getElementById(inputId(first.name))?.focus()
}
