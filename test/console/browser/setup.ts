/** Runs before all browser tests. Starts the service as a user would, with its login provider, on a fresh state. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
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
    /** The browser's executable; undefined if there is none, which skips the tests. */
    chromium: string | undefined
    /** Undefined without a browser. */
    service: Service | undefined
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

interface Started {
  service: Service
  stop: () => Promise<void>
}

async function start(): Promise<Started> {
  const state = await mkdtemp(path.join(os.tmpdir(), 'console-tests-'))
  const port = await freePort()
  const { child, ready } = startAsUser(['--port', String(port), '--persist-to', state])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(state, { recursive: true, force: true })
  }
  await ready.catch(async (error) => {
    await stop()
    throw error
  })
  return { service: { origin: `http://localhost:${port}`, logFile: path.join(state, 'service.log') }, stop }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium()
  provide('chromium', chromium)
  provide('service', undefined)
  provide('operatorToken', '')
  if (chromium === undefined) {
    process.stderr.write(BANNER)
    return async () => {
      process.stderr.write(BANNER)
    }
  }
  const { vars } = await ensureSecrets(path.join(root, '.dev.vars'))
  const { service, stop } = await start()
  provide('service', service)
  provide('operatorToken', vars.PLATFORM_ADMIN_TOKEN!)
  return stop
}
