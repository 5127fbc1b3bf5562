import { defineConfig, mergeConfig } from 'vitest/config'
import service from '../../vitest.config'

/** `npx vitest run --config bench/feeds/vitest.config.ts`: a simulated month of feeds; see `bench/README.md`. */
export default defineConfig(async (env) => ({
  ...mergeConfig(await service(env), {}),
  test: {
    ...(await service(env)).test,
    include: ['bench/feeds/*.test.ts'],
    exclude: [],
    testTimeout: 3_600_000,
    silent: false,
  },
}))
