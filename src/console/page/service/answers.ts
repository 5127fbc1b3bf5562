import type { z } from 'zod'
import type { batchPage, recordPage, searchStatus, writeResult } from '#catalog/schemas'
import type { RawRecord } from '#records/record-type'
import type { searchResult } from '#search/schemas'

/** What the dataset endpoints and partner search answer, from the schemas that describe them. */

export type RecordPage = Omit<z.output<typeof recordPage>, 'items'> & { items: RawRecord[] }
export type BatchPage = z.output<typeof batchPage>
export type Batch = BatchPage['items'][number]
export type WriteResult = z.output<typeof writeResult>
export type SearchStatus = z.output<typeof searchStatus>
export type SearchResult = Omit<z.output<typeof searchResult>, 'items'> & { items: RawRecord[] }

/** Where the dataset endpoints are. */
export const DATASETS = '/admin/datasets/v1/'
