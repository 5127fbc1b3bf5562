import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from '../../support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from '../../support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = path.join(import.meta.dirname, '../../..')

/**
 * The tests of the console and of the search element that drive a real browser, which talks to a service started as a
 * user would.
 */
export default defineConfig({
  root,
  plugins: [markdownExamples()],
  test: {
    name: 'browser',
    include: ['test/console/browser/**/*.test.ts', 'test/element/browser/**/*.test.ts'],
    globalSetup: ['test/console/browser/setup.ts'],
    // Each worker has one browser, which its files share.
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['test/console/browser/tell-failures.ts'],
    // Longer than the time-outs of what a test waits for, which tell what was missing.
    testTimeout: 240_000,
    hookTimeout: 480_000,
  },
})
