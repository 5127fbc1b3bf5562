import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { dcs, put, warned, withWorkspace, workspace } from './workspace.mjs'

withWorkspace()

describe('dcs login', () => {
  /**
   * Completes the pages of the login with an account, and allows the client. @returns the final address of the browser
   */
  async function logInAsBrowser(address, account) {
    const cookies = new Map()
    let url = new URL(address)
    let init = {}
    for (let step = 0; step < 16; step++) {
      const cookie = [...(cookies.get(url.host) ?? new Map()).values()].join('; ')
      const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie, ...init.headers } })
      const jar = cookies.get(url.host) ?? new Map()
      for (const set of response.headers.getSetCookie()) jar.set(set.split('=')[0], set.split(';')[0])
      cookies.set(url.host, jar)
      const location = response.headers.get('Location')
      if (location !== null) {
        url = new URL(location, url)
        init = {}
        if (url.hostname === '127.0.0.1' && url.searchParams.has('code')) return url
      } else if (url.origin === workspace.origin) {
        url = new URL('/api/v1/auth/oidc/allow', workspace.origin)
        init = { method: 'POST', headers: { Origin: workspace.origin, 'Sec-Fetch-Site': 'same-origin' } }
      } else init = { method: 'POST', body: new URLSearchParams({ account }) }
    }
    throw new Error('the login does not come to an end')
  }

  it('logs a user in with the browser, and later commands use the login', async () => {
    const [, account] = /log in as (\S+)/.exec(inject('cli').welcome)
    const home = { DCS_CLIENT_ID: undefined, DCS_CONFIG: path.join(workspace.folder, 'login', 'profiles.json') }
    expect(await dcs(['status'], { env: home })).toMatchObject({ code: 5 })
    const ofProgram = { ...home, DCS_CLIENT_ID: 'a-program' }
    expect(await dcs(['login'], { env: ofProgram })).toMatchObject(warned(2, 'commands use the variable DCS_CLIENT_ID'))
    const child = spawn('node_modules/.bin/dcs', ['login'], {
      env: { ...workspace.environment, ...home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let told = ''
    child.stderr.on('data', (chunk) => (told += chunk))
    const [line] = await once(child.stderr, 'data')
    const back = await logInAsBrowser(/(http:\S+)/.exec(String(line))[1], account)
    expect(await (await fetch(back)).text()).toContain('You are logged in')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(told).toContain('This machine seems to have no browser')
    expect(await dcs(['status'], { env: home })).toMatchObject({ code: 0 })
    expect((await dcs(['whoami'], { env: home })).stdout).toContain('in the workspace demo')
    for (const name of await readdir('login')) {
      expect((await stat(path.join(workspace.folder, 'login', name))).mode & 0o777).toBe(0o600)
    }
    expect(await dcs(['logout'], { env: home })).toMatchObject({ code: 0, stdout: 'Logged out.\n' })
    expect(await readdir('login')).toEqual(['profiles.json'])
    expect(await dcs(['status'], { env: home })).toMatchObject({ code: 5 })
  })

  it('rejects a login that a client ID in the profile would hide, and a profile with both', async () => {
    const profile = { url: workspace.origin, client_id: 'a-program' }
    const env = { DCS_CLIENT_ID: undefined, DCS_CONFIG: await put('both.json', JSON.stringify({ default: profile })) }
    expect(await dcs(['login'], { env })).toMatchObject(warned(2, 'client_id of the profile “default”'))
    await put('both.json', JSON.stringify({ default: { ...profile, token_file: 'some.token' } }))
    expect(await dcs(['status'], { env })).toMatchObject(warned(2, 'has a client_id and a login'))
  })
})
