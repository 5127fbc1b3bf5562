/** Runs before all browser tests: starts the service as a user would, with its login provider, on a fresh state. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { findChromium } from './chromium.mjs'
import { keepAwake } from './heartbeat'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The browser's program; undefined where there is none, and the tests are skipped. */
    chromium: string | undefined
    /** Address of the service. */
    origin: string
    operatorToken: string
    /** Where the service writes its log. */
    logFile: string
  }
}

const root = path.join(import.meta.dirname, '../../..')

/** How long the service may take to be ready, in milliseconds. */
const START_TIMEOUT_MS = 360_000

const BANNER = `
${'!'.repeat(96)}
!!  THE BROWSER TESTS OF THE CONSOLE WERE SKIPPED: there is no Chromium on this machine.
!!  Debian and Ubuntu: apt-get update && apt-get install -y chromium   (or set CHROMIUM to its path)
${'!'.repeat(96)}
`

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits for the last line of the welcome. */
function ready(service: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (why: string) => reject(new Error(`The service ${why}:\n${output}`))
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS)
    const read = (text: Buffer) => {
      output += text
      if (!output.includes('Try it')) return
      clearTimeout(timer)
      resolve()
    }
    service.stdout!.on('data', read)
    service.stderr!.on('data', read)
    service.once('exit', (code) => fail(`ended with code ${code}`))
  })
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium()
  provide('chromium', chromium)
  provide('origin', '')
  provide('operatorToken', '')
  provide('logFile', '')
  if (chromium === undefined) {
    process.stderr.write(BANNER)
    return async () => {
      process.stderr.write(BANNER)
    }
  }
  const state = await mkdtemp(path.join(os.tmpdir(), 'console-tests-'))
  const port = await freePort()
  const service = spawn(
    process.execPath,
    ['scripts/start.mjs', '--port', String(port), '--persist-to', state],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise((resolve) => service.once('exit', resolve))
  await ready(service)
  process.loadEnvFile(path.join(root, '.dev.vars'))
  const origin = `http://localhost:${port}`
  provide('origin', origin)
  provide('operatorToken', process.env.PLATFORM_ADMIN_TOKEN!)
  provide('logFile', path.join(state, 'wrangler.log'))
  const stopHeartbeat = keepAwake(origin)
  return async () => {
    stopHeartbeat()
    service.kill('SIGTERM')
    await ended
    await rm(state, { recursive: true, force: true })
  }
}
