/**
 * The client of `src/client`, for the scripts of this project. Node takes its TypeScript as it is; its files name
 * each other by `#client/…` for that. Imported late, so that a Node that is too old for it gets the message of
 * `require-node.mjs`.
 */
export const { CatalogClient, clientCredentials, ServiceClient, ServiceError } = await import('#client/index')
