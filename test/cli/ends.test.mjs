import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cliErrorOf, hintFor } from '#cli/exits'
import { errorOf, unreachable } from '#client/service-error'
import { EDGE } from '../support/cloudflare-refusals.mjs'
import {
  csv,
  dcs,
  dcsJson,
  inFront,
  inPlace,
  put,
  runProgram,
  said,
  warned,
  withWorkspace,
  workspace,
} from './workspace.mjs'

withWorkspace()

describe('a dcs command', () => {
  it.each([
    ['with an unknown option', ['push', 'medication', 'new.csv', '--force'], {}, 2, 'unknown option'],
    ['with a file that is missing', ['push', 'medication', 'none.csv'], {}, 2, 'is missing'],
    ['without an address', ['status'], { DCS_URL: undefined }, 2, '--url'],
    ['with an address that is not encrypted', ['status', '--url', 'http://catalog.example'], {}, 2, 'unencrypted'],
    ['without a secret', ['status'], { DCS_CLIENT_SECRET: undefined }, 5, 'DCS_CLIENT_SECRET_FILE'],
    ['with a wrong secret', ['status'], { DCS_CLIENT_SECRET: 'wrong' }, 5, ''],
    [
      'with an option without effect',
      ['push', 'medication', 'new.csv', '--confirm-shrink'],
      {},
      2,
      'requires --reconcile',
    ],
    ['with an unknown field', ['push', 'medication', 'new.csv', '--allow-emptied', 'nofield'], {}, 2, 'nofield'],
    ['with a profile that is missing', ['status', '--profile', 'none'], {}, 2, 'has no profile'],
    ['with a service that is gone', ['status', '--url', 'http://127.0.0.1:9'], {}, 6, 'safe to run the command again'],
  ])('says what is wrong: %s', async (_, args, env, code, message) => {
    await put('new.csv', csv('P1,Aspirin,ASS'))
    const ended = await dcs(args, { env })
    expect(ended.stderr).toContain(message)
    expect(ended.stderr).not.toMatch(/^ {4}at /m)
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
    const { exit, message: told } = await dcsJson(args, { env })
    expect({ exit, message: told }).toEqual({ exit: code, message: expect.stringContaining(message) })
  })

  it('exits with 6 if the service stays too busy, and waits for a service that recovers soon', async () => {
    let refusals = 0
    const busy = (status, wait, most) => (request, response) => {
      if (!request.url.startsWith('/admin/') || refusals++ >= most) return 'pass'
      response.writeHead(status, { 'Retry-After': wait }).end('{"message": "busy"}')
      return 'none'
    }
    const soon = await inFront(busy(503, '0', 2))
    expect(await dcs(['status', '--url', soon])).toMatchObject({ code: 0 })
    refusals = 0
    const later = await inFront(busy(429, '3600', Number.POSITIVE_INFINITY))
    expect(await dcs(['status', '--url', later])).toMatchObject({ code: 6 })
  })

  it('says what it is waiting for, and gives that reason if the service requests more time than is left', async () => {
    await put('new.csv', csv('P1,Aspirin,ASS'))
    const url = await inFront(({ url }, response) => {
      if (!url.startsWith('/admin/')) return 'pass'
      response.writeHead(429, { 'Retry-After': '2' }).end('{"message": "The history grows too fast."}')
      return 'none'
    })
    const { code, stderr } = await dcs(['push', 'medication', 'new.csv', '--url', url, '--timeout', '3s'])
    const [waits, ...others] = stderr.match(/The history grows too fast\. .*/g)
    expect(waits).toContain('Trying again in 3 seconds.')
    expect(others).toEqual([expect.stringContaining('safe to run the command again')])
    expect(code).toBe(6)
    expect(stderr).not.toContain('Timed out')
  })

  it('reads secrets from files, and warns if others can read them', async () => {
    await put('secret', `${workspace.environment.DCS_CLIENT_SECRET}\n`)
    const env = { DCS_CLIENT_SECRET: undefined, DCS_CLIENT_SECRET_FILE: 'secret' }
    const { code, stderr } = await dcs(['status'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('chmod 600 secret') })
    const { HOME, DCS_CLIENT_ID: client_id, DCS_CLIENT_SECRET } = workspace.environment
    const folder = path.join(HOME, '.config/dcs')
    await mkdir(folder, { recursive: true })
    const profiles = { night: { url: workspace.origin, client_id, client_secret_file: 'secret' } }
    await writeFile(path.join(folder, 'profiles.json'), JSON.stringify(profiles))
    await writeFile(path.join(folder, 'secret'), DCS_CLIENT_SECRET)
    const unset = { DCS_URL: undefined, DCS_CLIENT_ID: undefined, DCS_CLIENT_SECRET: undefined }
    expect(await dcs(['status', '--profile', 'night'], { env: unset })).toMatchObject({ code: 0 })
    // Its file is next to the profiles, and takes precedence over the environment.
    const wrong = { DCS_URL: 'http://127.0.0.1:9', DCS_CLIENT_ID: 'wrong', DCS_CLIENT_SECRET: 'wrong' }
    expect(await dcs(['status', '--profile', 'night'], { env: wrong })).toMatchObject({ code: 0 })
    expect(await dcs(['status'], { env: { ...wrong, DCS_PROFILE: 'night' } })).toMatchObject({ code: 6 })
    const cut = { ...unset, DCS_CONFIG: await put('cut.json', '{"night":') }
    expect(await dcs(['status'], { env: cut })).toMatchObject(warned(2, 'cut.json is not JSON'))
    const misshapen = { ...unset, DCS_CONFIG: await put('wrong.json', '{"default": {"url": 7}}') }
    expect(await dcs(['status'], { env: misshapen })).toMatchObject(warned(2, 'one object of texts for each profile'))
  })

  it('needs no home directory and no profile if everything comes from variables', async () => {
    await put('no-home', '')
    for (const home of [{ HOME: path.resolve('no-home') }, { DCS_CONFIG: await put('broken.json', '{') }])
      expect(await dcs(['status'], { env: home })).toMatchObject({ code: 0 })
  })

  it('reports a damaged login file, and not a bug', async () => {
    await put('damaged.token', '{"access_token"')
    const profiles = { default: { url: workspace.origin, token_file: 'damaged.token' } }
    const env = { DCS_CLIENT_ID: undefined, DCS_CONFIG: await put('damaged.json', JSON.stringify(profiles)) }
    expect(await dcs(['status'], { env })).toMatchObject(warned(5, /damaged\.token.*Log in again: dcs login/))
  })

  it('ends when its time is over, even if standard input stays open', async () => {
    const args = ['node_modules/dataset-catalog/dcs.js', 'push', 'medication', '-', '--timeout', '1s']
    const env = { ...workspace.environment }
    const child = spawn(process.execPath, args, { cwd: workspace.folder, env, stdio: ['pipe', 'ignore', 'pipe'] })
    const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('Timed out after 1 seconds') })
  })

  it('rejects a time limit that exceeds the longest timer', async () => {
    expect(await dcs(['status', '--timeout', '30d'])).toMatchObject(warned(2, 'longer than 24 days'))
  })

  it('ends when its time is over, even if the token endpoint does not respond', async () => {
    const url = await inFront(({ url }) => (url.endsWith('/token') ? 'none' : 'pass'))
    const began = Date.now()
    expect(await dcs(['status', '--check', '--url', url, '--timeout', '1s'])).toMatchObject(
      said(2, 'CRITICAL - Timed out after 1 seconds'),
    )
    expect(Date.now() - began).toBeLessThan(10_000)
  })

  const answering = (status, body) =>
    inPlace((request, response) => {
      const isToken = request.url.endsWith('/token')
      request.resume()
      response.writeHead(isToken ? 200 : status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r' })
      response.end(JSON.stringify(isToken ? { access_token: 't', expires_in: 900 } : body))
    })

  it('exits with 1 for a bug, and shows its location', async () => {
    const url = await answering(200, { success: true, data: {} })
    const { code, stderr } = await dcs(['status', '--url', url])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/bug in dcs.*\n.* {4}at /s),
    })
  })

  it('reports a critical state if the response lacks the catalogs', async () => {
    const url = await answering(200, { success: true, data: { items: [] } })
    expect(await dcs(['status', '--check', '--url', url])).toMatchObject(
      said(2, 'CRITICAL - the response does not contain medication'),
    )
  })

  it('exits with 4 if a quota is exceeded', async () => {
    const url = await answering(507, { success: false, message: 'The workspace is full.' })
    const file = await put('quota.csv', csv('Q1,Quota,'))
    expect(await dcs(['push', 'medication', file, '--url', url])).toMatchObject({
      code: 4,
      stderr: 'Reading quota.csv\n1 row. Sending.\ndcs: The workspace is full.\n',
    })
  })

  it('prints the errors of a file even if the copy with an error column cannot be written', async () => {
    const wrong = await put('unmarked.csv', csv('U1,With id,', ',Without id,'))
    expect(await dcs(['push', 'medication', wrong, '--errors', 'none/marked.csv'])).toMatchObject(
      warned(3, /Cannot write the copy with an error column: ENOENT.*\nrow 3/),
    )
  })

  it('says that a proxy requires a password, and exits with 2', async () => {
    const proxy = createServer().on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'))
    proxy.listen(0, '127.0.0.1')
    onTestFinished(() => void proxy.close())
    await once(proxy, 'listening')
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.address().port}`, NODE_USE_ENV_PROXY: '1' }
    const ended = await runProgram(
      process.execPath,
      [...['node_modules/dataset-catalog/dcs.js', 'status', '--url', 'https://catalog.example']],
      { env },
    )
    expect(ended).toMatchObject(warned(2, /requires a user name and a password.*HTTPS_PROXY=http:\/\/user/))
  })

  const broken = (code) => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })

  it.each([
    ['CERT_HAS_EXPIRED', 'It has expired'],
    ['CERT_NOT_YET_VALID', 'check the clock of this machine'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'It is for another host name: check the address (--url)'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
  ])('exits with 2 for a rejected certificate, with a fitting hint: %s', (code, hint) => {
    const { exit, message } = cliErrorOf(unreachable(broken(code)), {})
    expect(exit).toBe(2)
    expect(message).toContain(hint)
  })

  it('names the Node version that ignores a proxy', () => {
    const hint = (version, more) => hintFor(unreachable(broken('ENOTFOUND')), { HTTPS_PROXY: 'p', ...more }, version)
    expect(hint('20.19.0')).toContain('Node 20.19.0 ignores it. Use Node 22.21')
    expect(hint('22.20.0', { NODE_USE_ENV_PROXY: '1' })).toContain('Node 22.20.0 ignores it')
    expect(hint('22.21.0')).toContain('only with NODE_USE_ENV_PROXY=1')
    expect(hint('24.0.0', { NODE_USE_ENV_PROXY: '1' })).toBe('')
  })

  const notFound = () => broken('ENOTFOUND')
  const edge = ({ status, headers, text }) => errorOf(new Response(text, { status, headers }))

  it.each([
    ['a service that is not found', () => unreachable(notFound()), {}, 'ENOTFOUND'],
    ['a challenge of Cloudflare', () => edge(EDGE.challenge), {}, 'docs/troubleshooting.md'],
    ['a limit of Cloudflare', () => edge(EDGE['1015']), {}, 'Try again later'],
  ])('exits with 6, and says what to do, at %s', async (_, error, env, advice) => {
    const { exit, message } = cliErrorOf(await error(), env)
    expect(exit).toBe(6)
    expect(message).toContain(advice)
  })
})
