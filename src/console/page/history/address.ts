import { usePathname } from 'wouter/use-browser-location'
import type { RecordType } from '#records/record-type'

/** What the address names: the list, one write, or the way back to before or after it. */
type HistoryPlace = { is: 'list' } | { is: 'write' | Target; id: string }

/** Which state a catalog goes back to: the one before a write, or the one after it. */
export type Target = 'undo' | 'restore'

export function useHistoryPlace(): HistoryPlace {
  const [, , , , id = '', action] = usePathname().split('/')
  if (id === '') return { is: 'list' }
  return { is: action === 'undo' || action === 'restore' ? action : 'write', id }
}

export const historyAddress = ({ name }: RecordType): string => `/${name}/history`

export const writeAddress = (type: RecordType, batchId: string): string =>
  `${historyAddress(type)}/${batchId}`

export const restoreAddress = (type: RecordType, batchId: string, target: Target): string =>
  `${writeAddress(type, batchId)}/${target}`
