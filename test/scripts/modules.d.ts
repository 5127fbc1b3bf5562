/** Types of the parts of the scripts that the tests in workerd use. */

declare module '*/scripts/local/bindings.mjs' {
  /** Makes a call to a database. */
  type Delay = <T>(call: () => Promise<T>) => Promise<T>
  export function withDelay(database: D1Database, delay: Delay): D1Database
  export function delayedBy(ms: number, random?: () => number): Delay
  export function atDistance<E extends object>(env: E, delay: Delay): E
  export function rateLimit(simple: { limit: number; period: number }): RateLimit
}

declare module '*/scripts/move/workspace-move.mjs' {
  export type Query = (binding: string, sql: string, params: unknown[]) => Promise<Record<string, unknown>[]>
  export class WorkspaceMove {
    constructor(options: {
      query: Query
      workspaceId: string
      target: string
      waitMs: number
      say: (text: string) => void
    })
    run(): Promise<void>
  }
}

declare module '*/scripts/local/demo.mjs' {
  interface Credentials {
    client_id: string
    client_secret: string
    api_key: string
  }
  type Fetch = (url: string, init?: RequestInit) => Promise<Response>
  interface Service {
    fetch: Fetch
    origin: string
    operatorToken: string
  }
  type Demo = { credentials: Credentials; loaded: Record<string, number> }
  export function ensureDemo(
    service: Service,
    members: { email: string; role: string }[],
    store: { credentials?: unknown; save: (credentials: Credentials) => Promise<void> },
    readSample: (file: string) => Promise<string>,
  ): Promise<Demo>
  export const DEMO_MEMBERS: { email: string; role: string }[]
  export function curlLine(origin: string, credentials: Credentials): string
}

declare module '*/scripts/database/search-index.mjs' {
  export function indexStatements(catalogId: number): string[]
}

declare module '*.sql?raw' {
  const text: string
  export default text
}

declare module '*.csv?raw' {
  const text: string
  export default text
}

declare module '*.md?raw' {
  const text: string
  export default text
}

declare module '*.py?raw' {
  const text: string
  export default text
}

declare module '*/support/temporary-files.mjs' {
  export function keepTemporaryFilesInMemory(): void
}

declare module '*/support/markdown-examples.mjs' {
  export function markdownExamples(): import('vite').Plugin
}
