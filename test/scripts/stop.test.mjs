import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { shutDown, stopService } from '../../scripts/local/service.mjs'
import { groupMembers } from './support.mjs'

/** A process that ignores SIGTERM and SIGINT, with a child that does the same. */
const STUBBORN = `
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {})
  if (process.argv[1] !== 'child') require('node:child_process')
    .spawn(process.execPath, ['-e', process.env.SOURCE, 'child'], { stdio: 'inherit' })
  else process.stdout.write('ready\\n')
  setInterval(() => {}, 1000)
`

it('a service that ignores the signal is killed with its children', async () => {
  const child = spawn(process.execPath, ['-e', STUBBORN], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, SOURCE: STUBBORN },
  })
  await once(child.stdout, 'data')
  expect(groupMembers(child.pid)).toHaveLength(2)
  await stopService(child, 100)
  expect(groupMembers(child.pid)).toEqual([])
})

describe('shutting down', () => {
  const forever = () => new Promise(() => {})

  it('stops the service before anything else', async () => {
    const order = []
    await shutDown(async () => order.push('service'), [() => order.push('login'), () => order.push('lock')])
    expect(order).toEqual(['service', 'login', 'lock'])
  })

  it('also ends when a part hangs, and reports what failed', async () => {
    let stopped = false
    const stopLast = () => {
      stopped = true
    }
    const failing = () => {
      throw new Error('no')
    }
    const faults = await shutDown(failing, [forever, failing, stopLast], 50)
    expect(faults.map(({ message }) => message)).toEqual(['no', 'no'])
    expect(stopped).toBe(true)
  })
})
