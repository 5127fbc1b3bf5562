import { defineConfig } from 'vitest/config'
import service from '../../vitest.config.ts'

/** `npx vitest run --config bench/feeds/vitest.config.ts`: a simulated month of feeds; see `bench/README.md`. */
export default defineConfig(async (env) => {
  const config = await service(env)
  return {
    ...config,
    test: {
      ...config.test,
      include: ['bench/feeds/*.test.ts'],
      testTimeout: 3_600_000,
      silent: false,
    },
  }
})
