import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import type { Plugin } from 'vite'
import { defineConfig, defineProject } from 'vitest/config'
import { markdownExamples } from './test/support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from './test/support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const CACHE = path.join(import.meta.dirname, 'node_modules', '.cache')
const lock = readFileSync(path.join(import.meta.dirname, 'package-lock.json'))
const packages = createHash('sha256').update(lock).digest('hex').slice(0, 16)

// The tests start dozens of programs that load the same large modules. `npm test` names the same place.
process.env.NODE_COMPILE_CACHE ??= path.join(CACHE, 'compiled')

const signingKey = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  kid,
})

/**
 * Packages as their parts are imported. Vite makes one module of each, as a bundler does for a deployment: with their
 * hundreds of modules each runtime is ready seconds later.
 */
const PACKAGES = [
  '@hono/zod-validator',
  'drizzle-orm',
  'drizzle-orm/sqlite-core',
  'drizzle-orm/sqlite-proxy',
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

/** A module that is not in the list would be loaded a second time, with its own classes. */
const nothingTwice: Plugin = {
  name: 'nothing-twice',
  transform(_, id) {
    const part = /\/node_modules\/((?:hono|drizzle-orm|zod)\/.*)/.exec(id)?.[1]
    if (part !== undefined) throw new Error(`${part} is not in the PACKAGES of vitest.config.ts.`)
  },
}

/**
 * Vitest 4.1 reads a setup file's error from its cache as bytes, and then shows a TypeError instead of the error.
 * Therefore it must not cache the setup files, which run in the environment of this name.
 */
const setupsNotCached: Plugin = {
  name: 'setups-not-cached',
  configureVitest: ({ experimental_defineCacheKeyGenerator }) =>
    experimental_defineCacheKeyGenerator(({ environment }) => (environment.name === '__vitest__' ? false : undefined)),
}

const IN_BROWSER = ['test/{console,element}/browser/**/*.test.ts']

const IN_NODE = [
  'test/client/node/**/*.test.ts',
  'test/console/**/*.test.ts',
  'test/docs/pages/**/*.test.ts',
  'test/element/*.test.ts',
  'test/files/**/*.test.ts',
  'test/scripts/**/*.test.mjs',
  'test/shared/**/*.test.ts',
]

const COMMAND_LINE = ['test/cli/**/*.test.mjs']

const OWN_PROCESS = ['test/scripts/{backup,setup}.test.mjs']

/** The service in its runtime, and the code that it shares with other programs. */
const worker = async () =>
  defineProject({
    plugins: [
      nothingTwice,
      setupsNotCached,
      cloudflareTest({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
            SIGNING_KEYS: JSON.stringify([signingKey('current'), signingKey('previous')]),
            MASTER_KEY: randomBytes(32).toString('base64url'),
            PREVIOUS_MASTER_KEYS: '',
            PLATFORM_ADMIN_TOKEN: 'operator-token-of-the-tests',
            // The runtime does not support jurisdictions.
            JURISDICTION: '',
            // Tests with several databases say so.
            NEW_WORKSPACES_IN: 'DB',
          },
          d1Databases: { DB_3: 'a-third-database' },
        },
      }),
      markdownExamples(),
    ],
    test: {
      name: 'worker',
      include: ['test/**/*.test.ts'],
      exclude: [...IN_NODE, ...IN_BROWSER],
      globalSetup: ['./test/support/login-providers.mjs'],
      setupFiles: ['./test/setup.ts'],
      // Two runtimes share the files. Each has its own storage, emptied before each test: a runtime per file costs four
      // times as much.
      isolate: false,
      deps: { optimizer: { ssr: { enabled: true, include: PACKAGES } } },
      // The slowest tests take some seconds, and much longer on a busy machine.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  })

/** Starting a whole service can take long on a slow and busy machine. */
const LONG = { testTimeout: 600_000, hookTimeout: 600_000 }

/** Tests that start services, or change the environment or the directory of their process. */
const ownProcess = defineProject({
  plugins: [markdownExamples()],
  test: { ...LONG, name: 'process', include: OWN_PROCESS },
})

/** The command line, and the service as a user starts it. Each file has its own workspace. */
const commandLine = defineProject({
  plugins: [setupsNotCached, markdownExamples()],
  test: { ...LONG, name: 'cli', include: COMMAND_LINE, globalSetup: ['./test/cli/setup.mjs'] },
})

/**
 * Tests of scripts, of the client, of reading files, and of the parts of the console that need no page. They change
 * nothing that other tests see, so they share one process: starting one uses a second of CPU time.
 */
const node = defineProject({
  plugins: [markdownExamples()],
  test: { ...LONG, name: 'node', include: IN_NODE, exclude: [...OWN_PROCESS, ...IN_BROWSER], isolate: false },
})

/** Console and search element in a real browser, with a service that was started as by a user. */
const browser = defineProject({
  plugins: [setupsNotCached, markdownExamples()],
  test: {
    name: 'browser',
    include: IN_BROWSER,
    globalSetup: ['./test/console/browser/setup.ts'],
    // Each worker has one browser, which its files share.
    isolate: false,
    // Longer than the timeouts within a test, whose messages say what was missing.
    testTimeout: 240_000,
    hookTimeout: 480_000,
  },
})

/** The Worker in a bare workerd with the heap of an isolate, under requests that are designed to exhaust it. */
const attacks = defineProject({
  test: {
    ...LONG,
    name: 'attacks',
    include: ['test/attacks/**/*.test.mjs'],
    fileParallelism: false,
    // As in Node: the default export of `workerd` is an object.
    deps: { interopDefault: false },
  },
})

export default defineConfig({
  test: {
    projects: [worker, commandLine, ownProcess, node, browser, attacks],
    maxWorkers: 2,
    // The service's log lines are needed only when a test fails.
    silent: 'passed-only',
    // Of a file that did not change, nothing is compiled again: five seconds of CPU for a file of the worker. Other
    // packages have a cache of their own, because what is kept names their versions.
    experimental: { fsModuleCache: true, fsModuleCachePath: path.join(CACHE, `modules-${packages}`) },
  },
})
