import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { clientCredentials } from '../../scripts/client/client.mjs'
import { CONTROL, QUERY_PATH } from '../../scripts/local/control.mjs'
import { move } from '../../scripts/move.mjs'
import { verify } from '../../scripts/verify.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { rowsOf, SMALL } from '../scripts/verify.mjs'
import { freePort, startAsUser } from '../support/npm-start.mjs'
import { EXAMPLES, HAS_JQ, logCommandsOf, runExamples, shown } from './document-examples.mjs'
import { demoAccess, eventually, log, operator, operatorToken, setClock, started } from './started.mjs'

const mode = async (file) => (await stat(file)).mode & 0o777

/** Connects to the service, whose caller writes what it likes. */
async function connected() {
  const socket = connect(started.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('npm start', () => {
  it('ends with the credentials and the curl line', () => {
    const output = started.service.output()
    expect(output).toMatch(
      /client_id .*\n.*client_secret .*\n.*X-API-KEY .*\n\nTry it.*\n\nTOKEN=\$\(curl .* && curl .*\s*$/,
    )
    expect(output).not.toContain('request_id')
    expect(output).toContain(path.join(started.state, 'service.log'))
  })

  it.each(EXAMPLES)('runs the examples of %s as they are written', async (_, examples) => {
    const access = demoAccess()
    const leaked = await operator().post('/platform/v1/clients', { body: { name: 'leaked' } })
    const results = await runExamples(examples, {
      ORIGIN: access.baseUrl,
      ISSUER: access.baseUrl,
      CLIENT_ID: access.clientId,
      CLIENT_SECRET: access.clientSecret,
      API_KEY: access.apiKey,
      TOKEN: await clientCredentials(access).token(),
      PLATFORM_ADMIN_TOKEN: await operatorToken(),
      WORKSPACE: 'demo',
      LEAKED_CLIENT: leaked.client_id,
    })
    for (const [place, { answer }] of examples.entries()) {
      const { output, statuses } = results[place]
      if (answer !== undefined) expect(JSON.parse(output)).toEqual(shown(answer))
      expect(statuses).not.toEqual([])
      expect(statuses.filter((status) => status >= 400)).toHaveLength(answer?.success === false ? 1 : 0)
    }
  })

  it.skipIf(!HAS_JQ)('writes a log that the pages read, as wrangler and Logpush pass it on', async () => {
    const lines = (await log()).split('\n').filter((line) => line.startsWith('{'))
    const commands = ['docs/operating.md', 'docs/troubleshooting.md'].flatMap(logCommandsOf)
    expect(commands).toHaveLength(4)
    const events = [
      { logs: lines.map((line) => ({ message: [line], level: 'log', timestamp: 1 })) },
      { Logs: lines.map((line) => ({ Message: [line], Level: 'log', TimestampMs: 1 })) },
    ]
    for (const event of events) {
      const cwd = await mkdtemp(path.join(started.folder, 'log-'))
      await writeFile(path.join(cwd, 'tail.json'), JSON.stringify(event))
      const env = { ...process.env, WORKSPACE: 'demo' }
      const { stdout } = await promisify(execFile)('bash', ['-euc', commands.join('\necho ---\n')], { cwd, env })
      const [made, costs, slow, refused] = stdout.split('---\n')
      expect(made).toBe('')
      expect(costs).toMatch(/^demo\t\d+\t\d+\t\d+$/m)
      expect(slow).toMatch(/^demo\t\/admin\/datasets\/v1\/\t\d/m)
      expect(JSON.parse(refused.split('\n')[0])).toMatchObject({ workspace: 'demo', outcome: expect.any(String) })
    }
  })

  it('lets only its user read state, log and secrets', async () => {
    expect(await mode(started.state)).toBe(0o700)
    expect(await mode(path.join(started.state, 'service.log'))).toBe(0o600)
    expect(await mode(path.join(root, '.dev.vars'))).toBe(0o600)
  })

  it('refuses a second service on the same state', async () => {
    const args = ['--port', String(await freePort()), '--persist-to', started.state]
    const { ready } = startAsUser(args, { environment: { ASSETS_ARE_BUILT: '1' } })
    await expect(ready).rejects.toThrow(`is in use by the service on port ${started.port}`)
  })

  it('has no false assumption of npm run verify, which says what it did not try there and leaves nothing', async () => {
    const result = await verify({ port: String(started.port), ...SMALL }, () => undefined)
    const rows = rowsOf(result)
    const withVerdict = (verdict) => rows.filter((row) => row[2] === verdict)
    expect(withVerdict('FALSE')).toEqual([])
    expect(result.isTrue).toBe(true)
    const untried = withVerdict('not tried here')
    expect(untried.length).toBeGreaterThan(25)
    expect(untried.filter(([, reason]) => reason.length < 20)).toEqual([])
    expect(rows.at(-1)[0]).toContain('is erased')
  })

  it('keeps what a workspace has when it is moved to another database, and takes writes after the move', async () => {
    const moveTo = (target) => move(['--port', String(started.port), '--wait', '0', 'demo', target])
    const query = { type: 'medication', limit: 1000 }
    const { items } = await started.client.get('/admin/datasets/v1/', { query })
    expect(items.length).toBeGreaterThan(100)
    await expect(moveTo('DB_9')).rejects.toThrow('DB_9 is not one of DB, DB_2.')
    await moveTo('DB_2')
    const body = JSON.stringify({ binding: 'DB_2', sql: 'SELECT count(*) AS records FROM records', params: [] })
    const [{ records }] = await (await fetch(`${started.origin}${QUERY_PATH}`, { ...CONTROL, body })).json()
    expect(records).toBeGreaterThan(items.length)
    expect((await started.client.get('/admin/datasets/v1/', { query })).items).toEqual(items)
    // Isolates remember for 30 seconds that it was read-only.
    await setClock(31_000)
    const written = { query: { type: 'diagnosis' }, body: [{ diagnosis_id: 'moved', name: 'After the move' }] }
    expect(await started.client.post('/admin/datasets/v1/', written)).toMatchObject({ inserted: 1 })
    await setClock(0)
  })

  it('writes nothing of a body whose client dies while it sends it', async () => {
    const token = await clientCredentials(demoAccess()).token()
    const posts = async () => (await log()).split('\n').filter((line) => /"POST".*datasets/.test(line))
    const before = (await posts()).length
    const body = 'symptom_id,name\nCUT-1,one\nCUT-2,tw'
    const head = [
      'POST /admin/datasets/v1/?type=symptom HTTP/1.1',
      `Host: localhost:${started.port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: text/csv',
      'Transfer-Encoding: chunked',
    ]
    const socket = await connected()
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`)
    // The service must have begun to read it.
    await sleep(500)
    socket.destroy()
    await eventually(async () => (await posts()).length > before)
    expect(JSON.parse((await posts()).at(-1))).toMatchObject({
      status: 400,
      reason: expect.stringContaining('the client left'),
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const one = { params: { entity_id: 'CUT-1' }, query: { type: 'symptom' } }
    await expect(started.client.get('/admin/datasets/v1/{entity_id}/', one)).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['too large', 11, 413],
    ['of a stranger', 10, 401],
  ])('lets a client that sends all before it reads see why a body is refused: %s', async (_, size, status) => {
    const body = Buffer.alloc(size * 1024 * 1024 - 1024, 'x')
    const head = [
      'POST /admin/datasets/v1/?type=symptom HTTP/1.1',
      `Host: localhost:${started.port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    const socket = await connected()
    // Nothing is read before all has been sent, as Python's http.client does it.
    socket.pause()
    await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(body, resolve)
    })
    let answer = ''
    for await (const chunk of socket) {
      answer += chunk
      if (answer.includes('"success":false')) break
    }
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"success":false`))
  })

  it.each([
    ['a page that shows it as an image', {}, 405],
    ['a page that sends a form', { method: 'POST', headers: { Origin: 'https://other.test' } }, 403],
    ['a page that asks first', { method: 'OPTIONS', headers: { Origin: 'https://other.test' } }, 403],
  ])('does no scheduled run for %s, and sets no clock', async (_, init, status) => {
    for (const path of ['scheduled?time=1893456000000', 'clock?ahead=86400000']) {
      const answer = await fetch(`${started.origin}/cdn-cgi/handler/${path}`, init)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })
})
