import type { FileWork } from '#files/file-work'
import { type Desk, type Remote, startDesk } from '../../worker/remote'

export type RemoteWork = Remote<FileWork>

/** The work on one file, and its end. */
export type FileDesk = Desk<FileWork>

/** Starts a worker for one file. A large file takes seconds, and the page must answer meanwhile. */
export const startFileDesk = (): FileDesk =>
  startDesk(new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' }), 'reads files')
