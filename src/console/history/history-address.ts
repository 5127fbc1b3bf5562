import type { RecordType } from '#shared/records/record-type'
import { addressOf } from '../routes'
import type { Upload } from '../service/answers'

/** `undo` reverses one write, `restore` reverses all writes after it. */
export type RestoreKind = 'undo' | 'restore'

/** What to list instead of writes: all uploads, or those with one outcome. */
export type EntryFilter = 'all' | Upload['outcome']

export const historyAddress = (type: RecordType, filter?: EntryFilter): string =>
  addressOf('history', type) + (filter === undefined ? '' : `?show=${filter}`)

export const writeAddress = (type: RecordType, batchId: string): string => addressOf('write', type, batchId)

export const restoreAddress = (type: RecordType, batchId: string, target: RestoreKind): string =>
  addressOf(target, type, batchId)

export const uploadAddress = (type: RecordType, uploadId: string): string => addressOf('upload', type, uploadId)
