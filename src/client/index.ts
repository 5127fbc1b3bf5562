/** The package `dataset-catalog`: what others import. */
export type { Data, Query } from '#client/api'
export {
  CatalogClient,
  type CatalogRecord,
  type CatalogType,
  type Change,
  type MirrorStep,
  type Position,
  type RecordsQuery,
  type SearchOptions,
  type Stop,
  type SyncPolicy,
  type SyncResult,
  type SyncSource,
  type WaitingFile,
  type WriteResult,
} from '#client/catalog-client'
export { type Attempt, type CallOptions, type ClientOptions, type Download, ServiceClient } from '#client/client'
export { type ClientCredentials, clientCredentials } from '#client/credentials'
export type { RetryPolicy } from '#client/retry'
export { ServiceError, type ServiceErrorCode } from '#client/service-error'
export { type GrantedToken, RenewedToken, type TokenSource } from '#client/token-source'
export type { Fetch } from '#client/transport'
