import { generateKeyPairSync, randomBytes } from 'node:crypto'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from './test/support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from './test/support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const signingKey = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
})

/**
 * Packages as their parts are imported. Vite makes one module of each, as a bundler does for a deployment: with their hundreds of
 * modules each runtime is ready seconds later.
 */
const PACKAGES = [
  '@hono/zod-validator',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'fastest-levenshtein',
  'hono',
  'hono/accepts',
  'hono/cookie',
  'hono/factory',
  'hono/html',
  'hono/router',
  'jose',
  'lru-cache',
  'oauth4webapi',
  'pako',
  'papaparse',
  'zod',
  'zod-openapi',
]

/** A part that is not in the list would be there a second time, with classes of its own. */
const nothingTwice: Plugin = {
  name: 'nothing-twice',
  transform(_, id) {
    const part = /\/node_modules\/((?:hono|drizzle-orm|zod)\/.*)/.exec(id)?.[1]
    if (part !== undefined) throw new Error(`${part} is not in the PACKAGES of vitest.config.ts.`)
  },
}

export default defineConfig(async () => ({
  plugins: [
    nothingTwice,
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
          SIGNING_KEYS: JSON.stringify([signingKey('current'), signingKey('previous')]),
          MASTER_KEY: randomBytes(32).toString('base64url'),
          PREVIOUS_MASTER_KEYS: '',
          PLATFORM_ADMIN_TOKEN: 'operator-token-of-the-tests',
          // Tests with several databases say so.
          NEW_WORKSPACES_IN: 'DB',
        },
        d1Databases: { DB_3: 'a-third-database' },
      },
    }),
    markdownExamples(),
  ],
  test: {
    include: ['test/**/*.test.ts'],
    // These run in Node, with another configuration.
    exclude: [
      'test/console/**',
      'test/element/browser/**',
      'test/client/node/**',
      'test/files/**',
      'test/docs/pages/**',
    ],
    globalSetup: ['./test/support/login-providers.mjs'],
    setupFiles: ['./test/setup.ts'],
    // Two runtimes share the files. Each has its own storage, emptied before each test: a runtime per file costs four
    // times as much.
    isolate: false,
    deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
    maxWorkers: 2,
    // The slowest tests take some seconds, and many times as long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The service's log lines are needed only when a test fails.
    silent: 'passed-only',
  },
}))
