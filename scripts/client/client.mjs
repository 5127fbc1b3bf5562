/** The client in TypeScript, for scripts, bench and tests. */
export { CatalogClient, clientCredentials, ServiceClient, ServiceError } from '#client/index'
