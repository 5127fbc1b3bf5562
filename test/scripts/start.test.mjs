import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockState } from '../../scripts/local/state-lock.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { eventually, freePort, groupMembers, runScript, scratch, startLocal } from './support.mjs'

/** How long the processes of a service may take to be gone, in milliseconds. */
const END_TIMEOUT_MS = 60_000

const mode = async (file) => (await stat(file)).mode & 0o777

describe('npm start', () => {
  it('ends with the credentials and the curl line, and stops with everything that it started', async () => {
    const state = path.join(await scratch(), 'state')
    const port = await freePort()
    const wranglerLog = path.join(state, 'of-wrangler.log')
    const first = await startLocal(['--port', String(port), '--persist-to', state], {
      WRANGLER_LOG_PATH: wranglerLog,
    })

    const lines = first.output().trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/^TOKEN=\$\(curl .* && curl /)
    expect(lines.slice(-8).join('\n')).toMatch(/client_id .*\n.*client_secret .*\n.*X-API-KEY .*\n\nTry it/)
    expect(first.output()).not.toMatch(/wrangler:info|request_id|custom build/)
    const log = path.join(state, 'wrangler.log')
    expect(first.output()).toContain(log)

    // What a debugger would be told of every request.
    expect(await readFile(wranglerLog, 'utf8')).not.toContain('Network.')

    expect(await mode(state)).toBe(0o700)
    expect(await mode(log)).toBe(0o600)
    expect(await mode(path.join(root, '.dev.vars'))).toBe(0o600)

    const second = runScript('start.mjs', ['--port', String(await freePort()), '--persist-to', state])
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(`is in use by the service on port ${port}`)

    expect(groupMembers(first.group).some(({ command }) => command.includes('workerd'))).toBe(true)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    // The last processes may still be ending.
    await eventually(() => groupMembers(first.group).length === 0, END_TIMEOUT_MS)
  })

  it('lets debuggers in at the port that is named for them', async () => {
    const state = path.join(await scratch(), 'state')
    const port = await freePort()
    const args = ['--port', String(await freePort()), '--persist-to', state, '--inspector-port', String(port)]
    await startLocal(args)
    const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
    expect(targets).toContainEqual(expect.objectContaining({ type: 'node' }))
  })

  it('leaves nothing behind when it is killed, and its state can be used again', async () => {
    const state = path.join(await scratch(), 'state')
    const killed = await startLocal(['--port', String(await freePort()), '--persist-to', state])
    killed.child.kill('SIGKILL')
    await killed.ended
    await eventually(() => groupMembers(killed.group).length === 0, END_TIMEOUT_MS)

    const release = await lockState(state, 'the next service')
    await release()
  })
})
