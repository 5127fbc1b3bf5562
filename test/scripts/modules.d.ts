/** Types of the parts of the scripts that the tests in workerd use. */

declare module '*/scripts/local/bindings.mjs' {
  /** Makes a call to a database. */
  type Delay = <T>(call: () => Promise<T>) => Promise<T>
  export function withDelay(database: D1Database, delay: Delay): D1Database
  export function delayedBy(ms: number, random?: () => number): Delay
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

declare module '*/scripts/database/search-index.mjs' {
  export function indexStatements(catalogId: number): string[]
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
