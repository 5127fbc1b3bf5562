import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CatalogClient, clientCredentials, ServiceClient } from '../../scripts/client/client.mjs'
import { CONTROL, QUERY_PATH, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { move } from '../../scripts/move.mjs'
import { verify } from '../../scripts/verify.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { rowsOf, SMALL } from '../scripts/verify.mjs'
import { freePort, startAsUser } from '../support/npm-start.mjs'
import { EXAMPLES, HAS_JQ, logCommandsOf, runExamples, shown } from './document-examples.mjs'
import { eventually, FILES_ARE_BUILT, groupMembers, logOf, setClock, startService } from './service.mjs'
import { operatorToken } from './workspace.mjs'

/** This service is moved, stopped and killed, so no other tests use it. */
let service

const start = async (state, port) => {
  service = await startService(state, port, FILES_ARE_BUILT)
}

beforeAll(async () => start(path.join(await mkdtemp(path.join(tmpdir(), 'npm-start-')), 'state')))
afterAll(async () => {
  service.kill()
  await rm(path.dirname(service.state), { recursive: true, force: true })
})

/** The credentials of the demo workspace that the service has printed, as options of the client. */
function demoAccess() {
  const [, clientId, clientSecret, apiKey] =
    /client_id +(\S+)\s+client_secret +(\S+)\s+X-API-KEY +(\S+)/.exec(service.output()) ?? []
  return { baseUrl: service.origin, clientId, clientSecret, apiKey }
}

function demoClient() {
  const access = demoAccess()
  return new CatalogClient({ ...access, tokens: clientCredentials(access) })
}

const operator = () => new ServiceClient({ baseUrl: service.origin, tokens: { token: operatorToken } })

const log = () => logOf(service)

const mode = async (file) => (await stat(file)).mode & 0o777

/** Opens a raw connection to the service. */
async function connected() {
  const socket = connect(service.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('npm start', () => {
  it('prints the credentials and the curl command last', () => {
    const output = service.output()
    expect(output).toMatch(
      /client_id .*\n.*client_secret .*\n.*X-API-KEY .*\n\nTry it.*\n\nTOKEN=\$\(curl .* && curl .*\s*$/,
    )
    expect(output).not.toContain('request_id')
    expect(output).toContain(path.join(service.state, 'service.log'))
  })

  it.each(EXAMPLES)('runs the examples of %s as written', async (_, examples) => {
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
    await setClock(service, 0)
    for (const [place, { answer }] of examples.entries()) {
      const { output, statuses } = results[place]
      if (answer !== undefined) expect(JSON.parse(output)).toEqual(shown(answer))
      expect(statuses).not.toEqual([])
      expect(statuses.filter((status) => status >= 400)).toHaveLength(answer?.success === false ? 1 : 0)
    }
  })

  it.skipIf(!HAS_JQ)('writes a log that the documented commands read, also through wrangler or Logpush', async () => {
    const lines = (await log()).split('\n').filter((line) => line.startsWith('{'))
    const commands = ['docs/operating.md', 'docs/troubleshooting.md'].flatMap(logCommandsOf)
    expect(commands).toHaveLength(4)
    const events = [
      { logs: lines.map((line) => ({ message: [line], level: 'log', timestamp: 1 })) },
      { Logs: lines.map((line) => ({ Message: [line], Level: 'log', TimestampMs: 1 })) },
    ]
    for (const event of events) {
      const cwd = await mkdtemp(path.join(path.dirname(service.state), 'log-'))
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
    expect(await mode(service.state)).toBe(0o700)
    expect(await mode(path.join(service.state, 'service.log'))).toBe(0o600)
    expect(await mode(path.join(root, '.dev.vars'))).toBe(0o600)
  })

  it('rejects a second service on the same state', async () => {
    const args = ['--port', String(await freePort()), '--persist-to', service.state]
    const { ready } = startAsUser(args, { environment: { ASSETS_ARE_BUILT: '1' } })
    await expect(ready).rejects.toThrow(`is in use by the service on port ${service.port}`)
  })

  it('finds no false assumption with npm run verify, which lists skipped ones and leaves nothing', async () => {
    const result = await verify({ port: service.port, ...SMALL }, () => undefined)
    const rows = rowsOf(result)
    const withVerdict = (verdict) => rows.filter((row) => row[2] === verdict)
    expect(withVerdict('FALSE')).toEqual([])
    expect(result.isTrue).toBe(true)
    const untried = withVerdict('not tried here')
    expect(untried.length).toBeGreaterThan(5)
    expect(untried.filter(([, reason]) => reason.length < 20)).toEqual([])
    expect(rows.at(-1)[0]).toContain('is erased')
  })

  it('keeps the data of a workspace that is moved to another database, and accepts writes after the move', async () => {
    const moveTo = (target) =>
      move.parseAsync(['--port', String(service.port), '--wait', '0', 'demo', target], { from: 'user' })
    const query = { type: 'medication', limit: 1000 }
    const { items } = await demoClient().get('/admin/datasets/v1/', { query })
    expect(items.length).toBeGreaterThan(100)
    await expect(moveTo('DB_9')).rejects.toThrow('DB_9 is not one of DB, DB_2.')
    await moveTo('DB_2')
    const body = JSON.stringify({ binding: 'DB_2', sql: 'SELECT count(*) AS records FROM records', params: [] })
    const [{ records }] = await (await fetch(`${service.origin}${QUERY_PATH}`, { ...CONTROL, body })).json()
    expect(records).toBeGreaterThan(items.length)
    expect((await demoClient().get('/admin/datasets/v1/', { query })).items).toEqual(items)
    // Isolates cache the read-only state for 30 seconds.
    await setClock(service, 31_000)
    const written = { query: { type: 'diagnosis' }, body: [{ diagnosis_id: 'moved', name: 'After the move' }] }
    expect(await demoClient().post('/admin/datasets/v1/', written)).toMatchObject({ inserted: 1 })
    await setClock(service, 0)
  })

  it('writes nothing of a body whose client dies while sending it', async () => {
    const token = await clientCredentials(demoAccess()).token()
    // Lines of earlier requests may arrive late.
    const cutOff = async () => (await log()).split('\n').find((line) => /"POST".*datasets.*the client left/.test(line))
    const body = 'symptom_id,name\nCUT-1,one\nCUT-2,tw'
    const head = [
      'POST /admin/datasets/v1/?type=symptom HTTP/1.1',
      `Host: localhost:${service.port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: text/csv',
      'Transfer-Encoding: chunked',
    ]
    const socket = await connected()
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`)
    // The service must have begun to read it.
    await sleep(500)
    socket.destroy()
    await eventually(async () => (await cutOff()) !== undefined)
    expect(JSON.parse(await cutOff())).toMatchObject({
      status: 400,
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const one = { params: { entity_id: 'CUT-1' }, query: { type: 'symptom' } }
    await expect(demoClient().get('/admin/datasets/v1/{entity_id}/', one)).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['too large', 11, 413],
    ['of a stranger', 10, 401],
  ])('shows clients that send the whole body before they read why it is rejected: %s', async (_, size, status) => {
    const body = Buffer.alloc(size * 1024 * 1024 - 1024, 'x')
    const head = [
      'POST /admin/datasets/v1/?type=symptom HTTP/1.1',
      `Host: localhost:${service.port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    const socket = await connected()
    // Reads nothing before everything has been sent, like Python's http.client.
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
  ])('starts no scheduled run for %s, and sets no clock', async (_, init, status) => {
    for (const path of ['scheduled?time=1893456000000', 'clock?ahead=86400000']) {
      const answer = await fetch(`${service.origin}/cdn-cgi/handler/${path}`, init)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })

  // Tests that make the service unusable for other tests come last.
  it('starts a scheduled run on request, for a given time', async () => {
    const time = Date.parse('2030-01-01T00:00:00Z')
    const answer = await fetch(`${service.origin}${SCHEDULED_PATH}?time=${time}`, CONTROL)
    expect(answer.status).toBe(200)
    await eventually(async () => (await log()).includes('"scheduled":"housekeeping"'))
  })

  it('ends with all of its processes, and has kept all writes when it is started again', async () => {
    const records = () => Array.fromAsync(demoClient().records('symptom', { show_inactive: '1' }))
    const before = [demoAccess(), await records()]
    const { child, ended, group } = service
    expect(groupMembers(group).some(({ command }) => command.includes('workerd'))).toBe(true)
    child.kill('SIGTERM')
    expect([await ended, groupMembers(group)]).toEqual([0, []])
    await start(service.state, service.port)
    expect([demoAccess(), await records()]).toEqual(before)
  })

  it('reports that the runtime has died, and exits with 1', async () => {
    const { group, ended, output } = service
    process.kill(groupMembers(group).find(({ command }) => command.includes('workerd')).pid, 'SIGKILL')
    expect(await ended).toBe(1)
    expect(output()).toContain('The runtime of the service (workerd) has died.')
  })
})
