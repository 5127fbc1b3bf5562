import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { endOf } from '#cli/exits'
import { isLater } from '#cli/newer'
import { ServiceError } from '#client/service-error'
import { csv, dcs, inFront, put, serve, started, statusOf } from './started.mjs'

describe('a command that cannot be carried out', () => {
  it.each([
    ['without a file', ['push', 'medication'], {}, 2, 'missing required argument'],
    ['with an unknown option', ['push', 'medication', 'new.csv', '--force'], {}, 2, 'unknown option'],
    ['with an unknown catalog', ['push', 'medicine', 'new.csv'], {}, 2, 'There is no catalog'],
    ['with a file that is missing', ['push', 'medication', 'none.csv'], {}, 2, 'is missing'],
    ['without an address', ['status'], { DCS_URL: undefined }, 2, '--url'],
    [
      'with an address that is not encrypted',
      ['status', '--url', 'http://catalog.example'],
      {},
      2,
      'unencrypted',
    ],
    ['without a secret', ['status'], { DCS_CLIENT_SECRET: undefined }, 5, 'DCS_CLIENT_SECRET_FILE'],
    ['with a wrong secret', ['status'], { DCS_CLIENT_SECRET: 'wrong' }, 5, ''],
    ['with a profile that is missing', ['status', '--profile', 'none'], {}, 2, 'has no profile'],
    [
      'with a service that is gone',
      ['status', '--url', 'http://127.0.0.1:9'],
      {},
      6,
      'safe to run the command again',
    ],
  ])('says what is wrong: %s', async (_, args, env, code, message) => {
    const ended = await dcs(args, { env })
    expect(ended.stderr).toContain(message)
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
  })

  it('ends with 6 while the service is too busy, and waits for one that is soon back', async () => {
    let refusals = 0
    const busy = (status, wait, most) => (request, response) => {
      if (!request.url.startsWith('/admin/') || refusals++ >= most) return false
      request.resume()
      response.writeHead(status, { 'Retry-After': wait }).end('{"message": "busy"}')
    }
    const soon = await inFront(busy(503, '0', 2))
    expect(await dcs(['status', '--url', soon])).toMatchObject({ code: 0 })
    refusals = 0
    const later = await inFront(busy(429, '3600', Number.POSITIVE_INFINITY))
    expect(await dcs(['status', '--url', later])).toMatchObject({ code: 6 })
  })

  it('reads secrets from files, and warns of one that others can read', async () => {
    await put('secret', `${started.environment.DCS_CLIENT_SECRET}\n`)
    const env = { DCS_CLIENT_SECRET: undefined, DCS_CLIENT_SECRET_FILE: 'secret' }
    const { code, stderr } = await dcs(['status'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('chmod 600 secret') })
    await mkdir(path.join(started.environment.HOME, '.config/dcs'), { recursive: true })
    const profile = {
      url: started.origin,
      client_id: started.environment.DCS_CLIENT_ID,
      client_secret_file: 'secret',
    }
    await writeFile(
      path.join(started.environment.HOME, '.config/dcs/profiles.json'),
      JSON.stringify({ night: profile }),
    )
    const unset = { DCS_URL: undefined, DCS_CLIENT_ID: undefined, DCS_CLIENT_SECRET: undefined }
    expect(await dcs(['status', '--profile', 'night'], { env: unset })).toMatchObject({ code: 0 })
  })

  it('ends with 2 when it should read what a person types', async () => {
    const ended = await dcs(['push', 'medication', '-'], { isTerminal: true })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('pipe one in') })
  })

  const answering = (status, body) =>
    serve((request, response) => {
      const isToken = request.url.endsWith('/token')
      request.resume()
      response.writeHead(isToken ? 200 : status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(isToken ? { access_token: 't', expires_in: 900 } : body))
    })

  it('ends with 1 for a defect, and shows where it is', async () => {
    const url = await answering(200, { success: true, data: {} })
    const { code, stderr } = await dcs(['status', '--url', url])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/defect of dcs.*\n.* {4}at /s),
    })
  })

  it('ends with 4 when a quota is used up', async () => {
    const url = await answering(507, { success: false, message: 'The workspace is full.' })
    const file = await put('quota.csv', csv('Q1,Quota,'))
    const ended = await dcs(['push', 'medication', file, '--url', url])
    expect(ended).toMatchObject({
      code: 4,
      stderr:
        'Reading quota.csv\n1 row without errors. Asking what would change.\ndcs: The workspace is full.\n',
    })
  })

  it('tells the errors of a file, and that a file is written, also if another one cannot be written or moved', async () => {
    const wrong = await put('unmarked.csv', csv(',Without id,'))
    const marked = await dcs(['push', 'medication', wrong, '--errors', 'none/marked.csv'])
    expect(marked).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/could not be written: ENOENT.*\nrow 2/),
    })
    const { revision } = await statusOf('medication')
    const right = await put('unmoved.csv', csv('U1,Unmoved,'))
    const written = await dcs(['push', 'medication', right, '--move-to', 'none'])
    expect(written).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(`The revision is ${revision + 1}.*could not be moved: ENOENT`),
    })
  })

  it.each([
    ['a certificate that is not trusted', 'SELF_SIGNED_CERT_IN_CHAIN', {}, 'NODE_EXTRA_CA_CERTS'],
    ['a proxy', 'ENOTFOUND', { https_proxy: 'http://proxy:3128' }, 'NODE_USE_ENV_PROXY=1'],
    ['an address that does not exist', 'ENOTFOUND', {}, 'ENOTFOUND'],
  ])('says what Node needs for %s', (_, code, env, needs) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })
    const ended = endOf(new ServiceError('The service cannot be reached.', { status: 0, cause }), env)
    expect(ended).toMatchObject({ exit: 6, message: expect.stringContaining(needs) })
  })
})

describe('a service with a later version', () => {
  it('is named once', async () => {
    const url = await inFront((request, response) => {
      if (request.url !== '/client/') return false
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ version: '99.1.0', path: '', sha256: '', digest: '' }))
    })
    const known = path.join(started.environment.HOME, '.config/dcs/services.json')
    const askedYesterday = async () => {
      const found = JSON.parse(await readFile(known, 'utf8'))
      await writeFile(known, JSON.stringify({ [url]: { ...found[url], asked_at: 0 } }))
    }
    const status = () => dcs(['status', '--url', url])
    expect((await dcs(['status', '--url', url, '--quiet'])).stderr).toBe('')
    expect((await status()).stderr).toContain(`dcs 99.1.0`)
    expect((await status()).stderr).toBe('')
    await askedYesterday()
    expect((await status()).stderr).toBe('')
    await writeFile(known, 'broken')
    expect((await status()).stderr).toContain(`${url}/client/latest.tgz`)
  })

  it('is one whose number is higher', () => {
    expect(isLater('2.10.0', '2.9.3')).toBe(true)
    expect(isLater('3.0.0', '2.9.3')).toBe(true)
    expect(isLater('2.9.3', '2.9.3')).toBe(false)
    expect(isLater('2.9.3', '2.10.0')).toBe(false)
  })
})
