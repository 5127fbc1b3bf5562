import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from '../support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from '../support/temporary-files.mjs'

keepTemporaryFilesInMemory()

const root = path.join(import.meta.dirname, '../..')

/**
 * The tests that need Node: those of the scripts (processes, files and locks), of the client, of the
 * files that people have, and of the parts of the console that need no page. The others run in workerd or drive a
 * browser.
 */
export default defineConfig({
  root,
  plugins: [markdownExamples()],
  test: {
    name: 'scripts',
    include: [
      'test/scripts/**/*.test.mjs',
      'test/cli/**/*.test.mjs',
      'test/client/node/**/*.test.ts',
      'test/console/**/*.test.ts',
      'test/files/**/*.test.ts',
    ],
    exclude: ['test/console/browser/**'],
    // Some start a whole service, which can take long on a slow and busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
})
