import { generateKeyPairSync, randomBytes } from 'node:crypto'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from './test/support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from './test/support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const signingKey = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
})

export default defineConfig(async () => ({
  plugins: [
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
      'test/console/browser/**',
      'test/console/page/**',
      'test/element/browser/**',
      'test/client/node/**',
      'test/import/**',
    ],
    globalSetup: ['./test/support/login-providers.mjs'],
    setupFiles: ['./test/setup.ts'],
    // Two runtimes share the files. Each has its own storage, emptied before each test: a runtime per file costs four
    // times as much.
    isolate: false,
    maxWorkers: 2,
    // The slowest tests take some seconds, and many times as long on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The service's log lines are needed only when a test fails.
    silent: 'passed-only',
  },
}))
