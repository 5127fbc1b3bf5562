import type { Data } from '#client/api'

/** What the service answers, under the names that the console has for it. */

export type WriteResult = Data<'post', '/admin/datasets/v1/'>
export type BatchPage = Data<'get', '/admin/datasets/v1/batches/'>
export type Batch = BatchPage['items'][number]
export type RecordPage = Data<'get', '/admin/datasets/v1/'>
export type SearchResult = Data<'get', '/medical-db/v1/search/'>
