/** The client in TypeScript, imported late: a Node that is too old for it gets the message of `require-node.mjs`. */
export const { CatalogClient, clientCredentials, ServiceClient, ServiceError } = await import('#client/index')
