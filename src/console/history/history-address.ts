import { usePathname, useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import type { Upload } from '../service/answers'

/** Two revisions of a catalog. Without `to` it is the present one, without `from` the one before `to`. */
export interface Span {
  from: number | undefined
  to: number | undefined
}

/** What the address names: the list, an upload, a write, its undo or a restore of it, or a comparison of two states. */
type HistoryPlace =
  | { is: 'list'; filter: string | null }
  | { is: 'write' | 'upload' | RestoreKind; id: string }
  | ({ is: 'comparison' } & Span)

/** `undo` takes back one write, `restore` all writes after it. */
export type RestoreKind = 'undo' | 'restore'

/** Segments of addresses in the place of the id of a write. No write has such an id. */
const COMPARISON = 'compare'
const UPLOADS = 'uploads'

function revisionIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function useHistoryPlace(): HistoryPlace {
  const [, , , , id = '', action] = usePathname().split('/')
  const parameters = new URLSearchParams(useSearch())
  if (id === '') return { is: 'list', filter: parameters.get('show') }
  if (id === UPLOADS) return { is: 'upload', id: action ?? '' }
  if (id === COMPARISON)
    return { is: 'comparison', from: revisionIn(parameters, 'from'), to: revisionIn(parameters, 'to') }
  return { is: action === 'undo' || action === 'restore' ? action : 'write', id }
}

/** What is listed instead of writes: all uploads that arrived, or those with one outcome. */
export type EntryFilter = 'arrived' | Upload['outcome']

export const historyAddress = ({ name }: RecordType, filter?: EntryFilter): string =>
  `/${name}/history${filter === undefined ? '' : `?show=${filter}`}`

export const writeAddress = (type: RecordType, batchId: string): string => `${historyAddress(type)}/${batchId}`

export const restoreAddress = (type: RecordType, batchId: string, target: RestoreKind): string =>
  `${writeAddress(type, batchId)}/${target}`

export function comparisonAddress(type: RecordType, { from, to }: Partial<Span> = {}): string {
  const parameters = new URLSearchParams()
  if (from !== undefined) parameters.set('from', String(from))
  if (to !== undefined) parameters.set('to', String(to))
  return `${historyAddress(type)}/${COMPARISON}${parameters.size === 0 ? '' : `?${parameters}`}`
}

export const uploadAddress = (type: RecordType, uploadId: string): string =>
  `${historyAddress(type)}/${UPLOADS}/${uploadId}`
