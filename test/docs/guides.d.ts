/** The examples of the guides, imported by `test/support/markdown-examples.mjs`. */
declare module '*/login/command-line-login.mjs' {
  export function newVerifier(): string
  export function loginAddress(service: string, port: number, verifier: string): Promise<string>
  export function accessToken(service: string, code: string, verifier: string, workspaceId?: string): Promise<string>
}

declare module '*?example=follow-catalog' {
  export function followCatalog(
    client: import('#client/catalog-client').CatalogClient,
    type: string,
    copy: {
      position(): Promise<{ revision: number; epoch: string } | null>
      put(records: Record<string, unknown>[]): Promise<void>
      finish(position: { revision: number; epoch: string }): Promise<void>
      clear(): Promise<void>
    },
  ): Promise<number>
}

declare module '*/operator/restore-workspace.mjs' {
  type Client = import('#client/catalog-client').CatalogClient
  type Counts = { restored: number; deactivated: number }
  export function restoreWorkspace(
    backup: Client,
    live: Client,
    options: { dryRun: boolean },
  ): Promise<Record<string, Counts>>
}
