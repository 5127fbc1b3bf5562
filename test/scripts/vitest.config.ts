import path from 'node:path'
import { defineConfig } from 'vitest/config'

const root = path.join(import.meta.dirname, '../..')

/** The tests of the scripts that need Node: processes, files and locks. The others, `*.test.ts`, run in workerd. */
export default defineConfig({
  root,
  test: {
    name: 'scripts',
    include: ['test/scripts/**/*.test.mjs'],
    // Some start a whole service, which takes its time on a busy machine.
    testTimeout: 180_000,
    fileParallelism: false,
  },
})
