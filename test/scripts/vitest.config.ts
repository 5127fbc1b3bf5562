import { tmpdir } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { markdownExamples } from '../support/markdown-examples.mjs'
import { keepTemporaryFilesInMemory } from '../support/temporary-files.mjs'

keepTemporaryFilesInMemory()

// The tests start dozens of programs that load the same large modules. `npm test` names a place for all of its steps.
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'catalog-compiled')

const root = path.join(import.meta.dirname, '../..')

/** Tests that start services, or change the environment or the directory of their process. */
const OWN_PROCESS = [
  'test/cli/**/*.test.mjs',
  'test/scripts/{backup,mirror-restart,remote-backup,setup,start}.test.mjs',
]

const shared = {
  // Some start a whole service, which can take long on a slow and busy machine.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  maxWorkers: 2,
}

/** The tests that need Node. The others run in workerd or drive a browser. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        plugins: [markdownExamples()],
        test: {
          ...shared,
          name: 'scripts',
          include: OWN_PROCESS,
        },
      },
      {
        // Of the other scripts, of the client, of the files that people have, and of the parts of the console that need
        // no page. They change nothing that others see, so they share one process: each of their own takes a second of
        // CPU to start.
        root,
        plugins: [markdownExamples()],
        test: {
          ...shared,
          name: 'node',
          include: [
            'test/client/node/**/*.test.ts',
            'test/console/**/*.test.ts',
            'test/docs/pages/**/*.test.ts',
            'test/files/**/*.test.ts',
            'test/scripts/**/*.test.mjs',
          ],
          exclude: ['test/console/browser/**', ...OWN_PROCESS],
          isolate: false,
        },
      },
    ],
  },
})
