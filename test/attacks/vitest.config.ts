import path from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * The Worker in a bare workerd with the heap of an isolate, under requests that are made to exhaust it: `npm run
 * test:attacks` sends some kinds of them, as CI does after `npm test`; `npm run test:attacks:all` sends all. That is
 * work for all cores, so it is no part of `npm test`.
 */
export default defineConfig({
  root: path.join(import.meta.dirname, '../..'),
  test: {
    name: 'attacks',
    include: ['test/attacks/**/*.test.mjs'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    // As Node has it: the default export of `workerd` is an object.
    deps: { interopDefault: false },
  },
})
