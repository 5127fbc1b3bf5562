/// <reference types="vite/types/importMeta.d.ts" />
import type { D1Migration } from 'cloudflare:test'
import type { Env as ServiceEnv } from '#worker/env'

declare global {
  namespace Cloudflare {
    /** Types `exports.default`. */
    interface GlobalProps {
      mainModule: typeof import('#worker/index')
    }
    interface Env extends ServiceEnv {
      TEST_MIGRATIONS: D1Migration[]
      DB_2: D1Database
      DB_3: D1Database
    }
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The real provider, with the accounts of `support/login-providers.mjs`. */
    loginProvider: { issuer: string; client_id: string; client_secret: string }
    /** A provider that signs any claims. */
    lenientProvider: { issuer: string; client_id: string; client_secret: string }
  }
}
