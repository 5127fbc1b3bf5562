/** Runs before all browser tests: starts the services as a user would, with their login providers, on fresh states. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { ASSETS_ARE_BUILT } from '../../../scripts/assets.mjs'
import { ensureSecrets } from '../../../scripts/secrets.mjs'
import { freePort, startAsUser } from '../../support/npm-start.mjs'
import { findChromium } from './chromium.mjs'

export interface Service {
  origin: string
  /** Where it writes its log. */
  logFile: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The browser's program; undefined if there is none, and the tests are skipped. */
    chromium: string | undefined
    /** One for each worker. */
    services: Service[]
    operatorToken: string
  }
}

const root = path.join(import.meta.dirname, '../../..')

const BANNER = `
${'!'.repeat(96)}
!!  THE BROWSER TESTS OF THE CONSOLE WERE SKIPPED: there is no Chromium on this machine.
!!  Debian: apt-get update && apt-get install -y chromium-headless-shell
!!  Others: install Chromium, or set CHROMIUM to its path
${'!'.repeat(96)}
`

/** A service that is under way, and how it ends. */
interface Started {
  service: Service
  ready: Promise<void>
  stop: () => Promise<void>
}

async function start(): Promise<Started> {
  const state = await mkdtemp(path.join(os.tmpdir(), 'console-tests-'))
  const port = await freePort()
  const { child, ready } = startAsUser(['--port', String(port), '--persist-to', state], {
    environment: { [ASSETS_ARE_BUILT]: '1' },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const origin = `http://localhost:${port}`
  return {
    service: { origin, logFile: path.join(state, 'service.log') },
    ready,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(state, { recursive: true, force: true })
    },
  }
}

/** Starts services beside each other. When one of them fails, all are stopped. */
async function startAll(count: number): Promise<Started[]> {
  // All services use the same files, which are made once.
  execFileSync(process.execPath, ['scripts/assets.mjs'], { cwd: root, stdio: 'inherit' })
  const started = await Promise.all(Array.from({ length: count }, start))
  const results = await Promise.allSettled(started.map((each) => each.ready))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return started
  await stopAll(started)
  throw failed.reason
}

const stopAll = (started: Started[]) => Promise.all(started.map(({ stop }) => stop()))

export default async function setup({ config, provide }: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium()
  provide('chromium', chromium)
  provide('services', [])
  provide('operatorToken', '')
  if (chromium === undefined) {
    process.stderr.write(BANNER)
    return async () => {
      process.stderr.write(BANNER)
    }
  }
  const { vars } = ensureSecrets(path.join(root, '.dev.vars'))
  const started = await startAll(config.maxWorkers)
  provide(
    'services',
    started.map(({ service }) => service),
  )
  provide('operatorToken', vars.PLATFORM_ADMIN_TOKEN!)
  return async () => {
    await stopAll(started)
  }
}
