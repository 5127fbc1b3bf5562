import { usePathname, useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import type { Upload } from '../service/answers'

/** What the address names: the list, an upload, a write, or its undo or a restore of it. */
type HistoryPlace = { is: 'list'; filter: string | null } | { is: 'write' | 'upload' | RestoreKind; id: string }

/** `undo` takes back one write, `restore` all writes after it. */
export type RestoreKind = 'undo' | 'restore'

/** Segment of addresses in the place of the id of a write. No write has such an id. */
const UPLOADS = 'uploads'

export function useHistoryPlace(): HistoryPlace {
  const [, , , , id = '', action] = usePathname().split('/')
  const search = useSearch()
  if (id === '') return { is: 'list', filter: new URLSearchParams(search).get('show') }
  if (id === UPLOADS) return { is: 'upload', id: action ?? '' }
  return { is: action === 'undo' || action === 'restore' ? action : 'write', id }
}

/** What is listed instead of writes: all uploads that arrived, or those with one outcome. */
export type EntryFilter = 'arrived' | Upload['outcome']

export const historyAddress = ({ name }: RecordType, filter?: EntryFilter): string =>
  `/${name}/history${filter === undefined ? '' : `?show=${filter}`}`

export const writeAddress = (type: RecordType, batchId: string): string => `${historyAddress(type)}/${batchId}`

export const restoreAddress = (type: RecordType, batchId: string, target: RestoreKind): string =>
  `${writeAddress(type, batchId)}/${target}`

export const uploadAddress = (type: RecordType, uploadId: string): string =>
  `${historyAddress(type)}/${UPLOADS}/${uploadId}`
