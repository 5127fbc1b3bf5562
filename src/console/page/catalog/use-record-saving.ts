import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RawRecord, RecordType } from '#records/record-type'
import { catalogChanged } from '../catalog-changed'
import type { WriteResult } from '../service/answers'
import { useSession } from '../session'
import { type RecordErrors, refusedFields } from './record-errors'
import { saveRecord } from './save-record'

const TAKEN = 'exists already: open that record to change it'

interface RecordSavingOptions {
  type: RecordType
  /** `updated_at` of the record as it was read; null for a new one. */
  readAt: string | null
  onSaved: (id: string, result: WriteResult) => void
  /** Called when the service does not take some fields. */
  onRefused: (errors: RecordErrors) => void
  /** Called with the record as it is now, when somebody else has changed it. */
  onChanged: (current: RawRecord) => void
}

/** Saves a record. What was loaded of its catalog before is out of date then. */
export function useRecordSaving({ type, readAt, onSaved, onRefused, onChanged }: RecordSavingOptions) {
  const { client } = useSession()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (record: RawRecord) => saveRecord(client, type, record, readAt),
    onSuccess: (saved, record) => {
      if (saved.is === 'taken') return onRefused({ [type.idField]: TAKEN })
      if (saved.is === 'changed') return onChanged(saved.current)
      const id = String(record[type.idField])
      queries.removeQueries({ queryKey: ['record', type.name, id] })
      // The page that follows reads what it shows.
      void catalogChanged(queries, type)
      onSaved(id, saved.result)
    },
    onError: (error) => onRefused(refusedFields(error)),
  })
}
