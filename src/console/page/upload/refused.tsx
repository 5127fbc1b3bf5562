import { ServiceError } from '#client/service-error'
import type { FieldError } from '#errors'
import type { RecordType } from '#records/record-type'
import { Problem } from '../shell/problem'
import type { ChosenFile } from './chosen-file'
import { ErrorReport } from './error-report'

interface RefusedProps {
  type: RecordType
  file: ChosenFile
  error: Error
  onRetry: () => void
}

/** Why the service does not take a file: what is wrong with its rows or, where it could not even look, what happened. */
export function Refused({ type, file, error, onRetry }: RefusedProps) {
  const errors = error instanceof ServiceError ? error.errors : []
  const fieldErrors = errors.filter((item): item is FieldError => 'msg' in item)
  if (fieldErrors.length === 0)
    return <Problem title="The file could not be checked" error={error} onRetry={onRetry} />
  return <ErrorReport type={type} file={file} fieldErrors={fieldErrors} />
}
