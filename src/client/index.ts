/** The public exports of the package `dataset-catalog`. */
export type { Data, Query } from '#client/api'
export * from '#client/catalog-client'
export { type Attempt, type CallOptions, type ClientOptions, type Download, ServiceClient } from '#client/client'
export { type ClientCredentials, clientCredentials } from '#client/credentials'
export type { RetryPolicy } from '#client/retry'
export { ServiceError, type ServiceErrorCode } from '#client/service-error'
export { type GrantedToken, RenewedToken, type TokenSource } from '#client/token-source'
export type { Fetch } from '#client/transport'
export {
  type FileInParts,
  type FilePart,
  type FileUploadOptions,
  type UploadProgress,
  uploadFile,
} from '#client/upload-file'
