import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CatalogClient, clientCredentials } from '../../scripts/client/client.mjs'
import { CLOCK_PATH, CONTROL, QUERY_PATH, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { move } from '../../scripts/move.mjs'
import { ensureSecrets } from '../../scripts/secrets.mjs'
import { verify } from '../../scripts/verify.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { freePort } from '../support/npm-start.mjs'
import { EXAMPLES, HAS_JQ, logCommandsOf, runExamples, shown } from './document-examples.mjs'
import { demoAccess, demoClient, endGroup, eventually, groupMembers, runScript, startService } from './support.mjs'
import { rowsOf, SMALL, withVerdict } from './verify.mjs'

/** How long the processes of a service may take to be gone, in milliseconds. */
const END_TIMEOUT_MS = 60_000

const mode = async (file) => (await stat(file)).mode & 0o777

describe('npm start', () => {
  let state
  let port
  let inspectorPort
  let args
  let service

  /** One service serves the first tests, because a start takes seconds. */
  beforeAll(async () => {
    state = path.join(await mkdtemp(path.join(tmpdir(), 'start-test-')), 'state')
    port = await freePort()
    inspectorPort = await freePort()
    args = ['--port', String(port), '--inspector-port', String(inspectorPort), '--persist-to', state]
    service = await startService(args)
  })

  afterAll(async () => {
    await endGroup(service)
    await rm(path.dirname(state), { recursive: true, force: true })
  })

  const log = () => readFile(path.join(state, 'service.log'), 'utf8')

  it('ends with the credentials and the curl line', async () => {
    const lines = service.output().trimEnd().split('\n')
    expect(lines.at(-1)).toMatch(/^TOKEN=\$\(curl .* && curl /)
    expect(lines.slice(-8).join('\n')).toMatch(/client_id .*\n.*client_secret .*\n.*X-API-KEY .*\n\nTry it/)
    expect(service.output()).not.toContain('request_id')
    expect(service.output()).toContain(path.join(state, 'service.log'))
  })

  const operatorToken = () => ensureSecrets(path.join(root, '.dev.vars')).vars.PLATFORM_ADMIN_TOKEN

  async function newClient(origin) {
    const headers = { Authorization: `Bearer ${operatorToken()}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${origin}/platform/v1/clients`, { method: 'POST', headers, body: '{"name":"leaked"}' })
    return (await answer.json()).data.client_id
  }

  it.each(EXAMPLES)('runs the examples of %s as they are written', async (_, examples) => {
    const access = demoAccess(service)
    const results = await runExamples(examples, {
      ORIGIN: access.baseUrl,
      ISSUER: access.baseUrl,
      CLIENT_ID: access.clientId,
      CLIENT_SECRET: access.clientSecret,
      API_KEY: access.apiKey,
      TOKEN: await clientCredentials(access).token(),
      PLATFORM_ADMIN_TOKEN: operatorToken(),
      WORKSPACE: 'demo',
      LEAKED_CLIENT: await newClient(access.baseUrl),
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
      const directory = await mkdtemp(path.join(path.dirname(state), 'log-'))
      await writeFile(path.join(directory, 'tail.json'), JSON.stringify(event))
      const { stdout } = await promisify(execFile)('bash', ['-euc', commands.join('\necho ---\n')], {
        cwd: directory,
        env: { ...process.env, WORKSPACE: 'demo' },
      })
      const [made, costs, slow, refused] = stdout.split('---\n')
      expect(made).toBe('')
      expect(costs).toMatch(/^demo\t\d+\t\d+\t\d+$/m)
      expect(slow).toMatch(/^demo\t\/admin\/datasets\/v1\/\t\d/m)
      expect(JSON.parse(refused.split('\n')[0])).toMatchObject({ workspace: 'demo', outcome: expect.any(String) })
      expect((await readFile(path.join(directory, 'lines.json'), 'utf8')).trim().split('\n')).toHaveLength(lines.length)
    }
  })

  it('lets only its user read state, log and secrets', async () => {
    expect(await mode(state)).toBe(0o700)
    expect(await mode(path.join(state, 'service.log'))).toBe(0o600)
    expect(await mode(path.join(root, '.dev.vars'))).toBe(0o600)
  })

  it('refuses a second service on the same state', async () => {
    const second = runScript('start.mjs', ['--port', String(await freePort()), '--persist-to', state])
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(`is in use by the service on port ${port}`)
  })

  it('lets debuggers in at the port that is named for them', async () => {
    const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()
    expect(targets).toContainEqual(expect.objectContaining({ type: 'node' }))
  })

  it('has no false assumption of npm run verify, which says what it did not try there and leaves nothing', async () => {
    const result = await verify({ port, ...SMALL }, () => undefined)
    expect(withVerdict(result, 'FALSE')).toEqual([])
    expect(result.isTrue).toBe(true)
    const untried = withVerdict(result, 'not tried here')
    expect(untried.length).toBeGreaterThan(25)
    expect(untried.filter(([, reason]) => reason.length < 20)).toEqual([])
    expect(rowsOf(result).at(-1)[0]).toContain('is erased')
  })

  it('writes nothing of a body whose client dies while it sends it', async () => {
    const access = demoAccess(service)
    const tokens = clientCredentials(access)
    const authorization = `Bearer ${await tokens.token()}`
    const posts = async () => (await log()).split('\n').filter((line) => /"POST".*datasets/.test(line))
    const before = (await posts()).length
    const body = 'symptom_id,name\nCUT-1,one\nCUT-2,tw'
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      [
        'POST /admin/datasets/v1/?type=symptom HTTP/1.1',
        `Host: localhost:${port}`,
        `Authorization: ${authorization}`,
        'Content-Type: text/csv',
        'Transfer-Encoding: chunked',
        '',
        `${body.length.toString(16)}\r\n${body}\r\n`,
      ].join('\r\n'),
    )
    // The service must have begun to read it.
    await sleep(500)
    socket.destroy()

    await eventually(async () => (await posts()).length > before, END_TIMEOUT_MS)
    expect(JSON.parse((await posts()).at(-1))).toMatchObject({
      status: 400,
      reason: expect.stringContaining('the client left'),
      time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    const client = new CatalogClient({ ...access, tokens })
    const written = client.get('/admin/datasets/v1/{entity_id}/', {
      params: { entity_id: 'CUT-1' },
      query: { type: 'symptom' },
    })
    await expect(written).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['too large', '/admin/datasets/v1/?type=symptom', 11, 413],
    ['too large for a small object', '/api/v1/auth/token', 11, 413],
    ['of a stranger', '/admin/datasets/v1/?type=symptom', 10, 401],
    ['for no path', '/nothing', 10, 404],
  ])('lets a client that sends all before it reads see why a body is refused: %s', async (_, path, size, status) => {
    const body = Buffer.alloc(size * 1024 * 1024 - 1024, 'x')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: localhost:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
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

  it('does a scheduled run when it is asked for one, as if it were that time', async () => {
    const time = Date.parse('2030-01-01T00:00:00Z')
    const answer = await fetch(`http://localhost:${port}${SCHEDULED_PATH}?time=${time}`, CONTROL)
    expect(answer.status).toBe(200)
    await eventually(async () => (await log()).includes('"scheduled":"housekeeping"'), END_TIMEOUT_MS)
  })

  it.each([
    ['a page that shows it as an image', {}, 405],
    ['a page that sends a form', { method: 'POST', headers: { Origin: 'https://other.test' } }, 403],
    ['a page that asks first', { method: 'OPTIONS', headers: { Origin: 'https://other.test' } }, 403],
  ])('does none for %s, and sets no clock', async (_, init, status) => {
    const before = (await log()).split('"scheduled":').length
    for (const path of ['scheduled?time=1893456000000', 'clock?ahead=86400000']) {
      const answer = await fetch(`http://localhost:${port}/cdn-cgi/handler/${path}`, init)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    expect((await log()).split('"scheduled":').length).toBe(before)
  })

  it('keeps what a workspace has when it is moved to another database, and takes writes after the move', async () => {
    const moveTo = (target) => move(['--port', String(port), '--wait', '0', 'demo', target])
    const client = demoClient(service)
    const query = { type: 'medication', limit: 1000 }
    const { items } = await client.get('/admin/datasets/v1/', { query })
    expect(items.length).toBeGreaterThan(100)
    await expect(moveTo('DB_9')).rejects.toThrow('DB_9 is not one of DB, DB_2.')
    await moveTo('DB_2')
    const body = JSON.stringify({ binding: 'DB_2', sql: 'SELECT count(*) AS records FROM records', params: [] })
    const [{ records }] = await (await fetch(`http://localhost:${port}${QUERY_PATH}`, { ...CONTROL, body })).json()
    expect(records).toBeGreaterThan(items.length)
    expect((await client.get('/admin/datasets/v1/', { query })).items).toEqual(items)
    // Isolates remember for 30 seconds that it was read-only.
    const setClock = (ahead) => fetch(`http://localhost:${port}${CLOCK_PATH}?ahead=${ahead}`, CONTROL)
    await setClock(31_000)
    const record = { medication_id: 'after-the-move', name: 'After the move' }
    expect(await client.post('/admin/datasets/v1/', { query: { type: 'medication' }, body: [record] })).toMatchObject({
      inserted: 1,
    })
    await setClock(0)
  })

  it('is killed with everything that it has started, and has what was written when it is started again', async () => {
    const records = () => Array.fromAsync(demoClient(service).records('symptom', { show_inactive: '1' }))
    const before = await records()
    const { child, ended, group } = service
    expect(groupMembers(group).some(({ command }) => command.includes('workerd'))).toBe(true)
    child.kill('SIGKILL')
    await ended
    // The last processes may still be ending.
    await eventually(() => groupMembers(group).length === 0, END_TIMEOUT_MS)
    service = await startService(args)
    expect(await records()).toEqual(before)
  })

  it('says that the runtime has died, and ends with 1', async () => {
    const runtime = groupMembers(service.group).find(({ command }) => command.includes('workerd'))
    process.kill(runtime.pid, 'SIGKILL')
    expect(await service.ended).toBe(1)
    expect(service.output()).toContain('The runtime of the service (workerd) has died.')
  })
})
