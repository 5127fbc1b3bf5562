/** The examples of the partner guide, imported by `test/support/markdown-examples.mjs`. */
declare module '*?example=partner-token' {
  export function partnerToken(
    credential: { kid: string; secret: string; issuer: string; audience: string },
    user: string,
  ): Promise<string>
}

declare module '*/partner/encrypted-body.mjs' {
  export function postEncrypted(
    url: string,
    payload: unknown,
    sharedKey: { kid: string; key: string },
    credential: Record<string, string>,
  ): Promise<Record<string, unknown>>
}

declare module '*?example=check-drug' {
  export function checkDrug(order: {
    service: string
    token: string
    id: string
    seen: { name: string; strength: string | null; form_name: string | null }
  }): Promise<Record<string, unknown> | undefined>
}

declare module '*?example=upload-document' {
  export function uploadDocument(upload: {
    service: string
    accessToken: string
    file: File
    key: string
  }): Promise<string>
}
