import { usePathname, useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import type { Upload } from '../service/answers'

/** Two revisions of a catalog, the earlier one first. Undefined: the newest change, or the present state. */
export interface Span {
  from: number | undefined
  to: number | undefined
}

/**
 * What the address names: the list, an upload, one write, the way back to before or after it, or two states beside each
 * other.
 */
type HistoryPlace =
  | { is: 'list'; filter: string | null }
  | { is: 'write' | 'upload' | RestoreKind; id: string }
  | ({ is: 'comparison' } & Span)

/** Which state records go back to: the one before a write, or that of the whole catalog after it. */
export type RestoreKind = 'undo' | 'restore'

/** No write has this id. */
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

/** What is listed besides what was written: all that arrived, or what had one outcome. */
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
