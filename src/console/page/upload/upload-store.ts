import type { ServiceClient } from '#client/client'
import type { RecordType } from '#records/record-type'
import type { Login } from '../service/access'
import { columnMemory } from './remembered-columns'
import { UploadProcess } from './upload-process'

/** Uploads of one person in one workspace, in memory until the page is reloaded: what is under way goes on meanwhile. */
interface Uploads {
  owner: string
  byType: Map<string, UploadProcess>
  /** The file that was chosen last and is not written yet. */
  file: File | undefined
}

let uploads: Uploads | undefined

const ownerOf = ({ email, workspace_id, role }: Login): string => `${workspace_id} ${role} ${email}`

const endAll = ({ byType }: Uploads): void => {
  for (const upload of byType.values()) upload.end()
}

function uploadsOf(login: Login): Uploads {
  const owner = ownerOf(login)
  if (uploads?.owner === owner) return uploads
  if (uploads !== undefined) endAll(uploads)
  uploads = { owner, byType: new Map(), file: undefined }
  return uploads
}

/** Asks before the window is closed while a file is not written yet. */
function warn(event: BeforeUnloadEvent): void {
  const isOpen = [...(uploads?.byType.values() ?? [])].some(({ file }) => file !== undefined)
  if (isOpen) event.preventDefault()
}

/**
 * The upload of one catalog, as the person left it. A file that was chosen in another catalog comes along.
 *
 * @param client that of the login
 */
export function uploadOf(client: ServiceClient, login: Login, type: RecordType): UploadProcess {
  const { byType } = uploadsOf(login)
  const known = byType.get(type.name)
  if (known !== undefined) return known
  const upload = new UploadProcess(client, type, columnMemory(login, type.name))
  byType.set(type.name, upload)
  globalThis.addEventListener('beforeunload', warn)
  return upload
}

/** Takes along the file that was chosen last, when the page of a catalog is opened. */
export function takeFileAlong(login: Login, upload: UploadProcess): void {
  const { file } = uploadsOf(login)
  const { stage } = upload.state()
  if (stage.is === 'writing' || file === undefined || upload.file === file) return
  void upload.choose(file)
}

/** Remembers which file is the last one; one that is written or given up is forgotten everywhere. */
export function rememberFile(login: Login, upload: UploadProcess): void {
  const known = uploadsOf(login)
  const before = known.file
  known.file = upload.file
  if (upload.file !== undefined || before === undefined) return
  for (const other of known.byType.values()) if (other.file === before) other.reset()
}
