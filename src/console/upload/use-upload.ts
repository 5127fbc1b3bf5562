import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session'
import type { UploadState } from './process/stage'
import type { UploadProcess } from './process/upload-process'
import { rememberFile, takeFileAlong, uploadOf } from './process/upload-store'

/** The upload of one catalog, and its state. */
export interface UploadInProgress extends UploadState {
  upload: UploadProcess
}

export function useUpload(type: RecordType): UploadInProgress {
  const { client, login } = useSession()
  const upload = useMemo(() => uploadOf(client, login, type), [client, login, type])
  const state = useSyncExternalStore(upload.subscribe, upload.state)
  useEffect(() => takeFileAlong(upload), [upload])
  const { file } = upload
  const isFirst = useRef(true)
  useEffect(() => {
    // Before the file of another catalog is taken along there is none.
    if (!isFirst.current || file !== undefined) rememberFile(upload)
    isFirst.current = false
  }, [upload, file])
  return { upload, ...state }
}
