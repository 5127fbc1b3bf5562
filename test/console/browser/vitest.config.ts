import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { keepTemporaryFilesInMemory } from '../../support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = path.join(import.meta.dirname, '../../..')

/**
 * The tests of the console run in Node: those of its parts that need no page, and those that drive a real browser, which
 * talks to a service started as a user would.
 */
export default defineConfig({
  root,
  test: {
    name: 'browser',
    include: ['test/console/page/**/*.test.ts', 'test/console/browser/**/*.test.ts'],
    globalSetup: ['test/console/browser/setup.ts'],
    // One browser and one service, which the stories share.
    fileParallelism: false,
    setupFiles: ['test/console/browser/tell-failures.ts'],
    // Longer than the time-outs of what a test waits for, which tell what was missing.
    testTimeout: 240_000,
    hookTimeout: 480_000,
  },
})
