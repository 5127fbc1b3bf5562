/** The examples of the guides, imported by `test/support/markdown-examples.mjs`. */
declare module '*?example=command-line-login' {
  export function newVerifier(): string
  export function loginAddress(service: string, port: number, verifier: string): Promise<string>
  export function accessToken(
    service: string,
    code: string,
    verifier: string,
    workspaceId?: string,
  ): Promise<string>
}
