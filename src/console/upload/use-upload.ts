import { useDeferredValue, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { type LeaveQuestion, protectWork } from '../frame/leave-guard'
import type { Login } from '../service/login'
import { useSession } from '../session-context'
import { answerMemory } from './process/answer-memory'
import { isBeingWritten, type UploadState } from './process/stage'
import { UploadProcess } from './process/upload-process'

/** The upload of one catalog, and its state. */
export interface UploadInProgress extends UploadState {
  type: RecordType
  upload: UploadProcess
}

/** The upload of a catalog, for rendering: React renders a deferred value in slices, so the page stays responsive. */
export function useUpload(type: RecordType): UploadInProgress {
  const { client, login } = useSession()
  const upload = useMemo(() => uploadOf(client, login, type), [client, login, type])
  const state = useSyncExternalStore(upload.subscribe, upload.state)
  useEffect(() => takeFileAlong(upload), [upload])
  const { file } = upload
  const isFirst = useRef(true)
  useEffect(() => {
    // On the first render, the file from another catalog has not been carried over yet.
    if (!isFirst.current || file !== undefined) rememberFile(upload)
    isFirst.current = false
  }, [upload, file])
  const current = useMemo(() => ({ type, upload, ...state }), [type, upload, state])
  return useDeferredValue(current)
}

/** The uploads of one login, in memory, so that they continue while other pages are shown. */
const uploads = new Map<string, UploadProcess>()

let lastFile: File | undefined

const UNWRITTEN: LeaveQuestion = {
  title: 'Leave without writing the file?',
  text:
    'The file you selected under “Upload” has not been fully written. If you leave, you lose the file and any ' +
    'unsaved changes.',
  leave: 'Leave without writing',
}

function endAll(): void {
  for (const upload of uploads.values()) upload.end()
  uploads.clear()
  lastFile = undefined
}

/**
 * The upload of one catalog, as the user left it. A file that was chosen for another catalog is carried over.
 *
 * @param client the login's client
 */
function uploadOf(client: ServiceClient, login: Login, type: RecordType): UploadProcess {
  const existing = uploads.get(type.name)
  if (existing !== undefined) return existing
  const upload = new UploadProcess(client, type, answerMemory(login, type.name))
  uploads.set(type.name, upload)
  const isUnwritten = () => [...uploads.values()].some(({ file }) => file !== undefined)
  protectWork({ question: () => (isUnwritten() ? UNWRITTEN : undefined), end: endAll })
  return upload
}

/** Carries over the last chosen file when the page of a catalog is opened. */
function takeFileAlong(upload: UploadProcess): void {
  const { stage } = upload.state()
  if (isBeingWritten(stage) || lastFile === undefined || upload.file === lastFile) return
  void upload.choose(lastFile)
}

/** Stores the last chosen file. A file that is written or discarded is removed from all catalogs. */
function rememberFile({ file }: UploadProcess): void {
  const before = lastFile
  lastFile = file
  if (file !== undefined || before === undefined) return
  for (const other of uploads.values()) if (other.file === before) other.reset()
}
