import { once } from 'node:events'
import { chmod, mkdir, readFile, rm, symlink, utimes } from 'node:fs/promises'
import { createServer } from 'node:https'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { isTransient } from '#client/retry'
import { ServiceError } from '#client/service-error'
import { root } from '../../scripts/wrangler.mjs'
import {
  dcs,
  inFront,
  inPlace,
  isWrite,
  put,
  putAgo,
  runProgram,
  said,
  statusOf,
  terminal,
  warned,
  withWorkspace,
  workspace,
} from './workspace.mjs'

withWorkspace()

const absolute = (name) => path.resolve(name)

describe('the guides', () => {
  const guide = (name) => readFile(path.join(root, 'docs', name), 'utf8')
  const job = (name) => readFile(path.join(root, 'samples', 'nightly', name), 'utf8')
  const exampleOf = (text, language, name) =>
    new RegExp(`^\`\`\`${language} ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(text)[1]

  const withCommands = () => ({ PATH: `${path.resolve('node_modules/.bin')}:${process.env.PATH}` })

  it('create a mirror, and update it', async () => {
    const example = exampleOf(await guide('mirroring.md'), 'sh', 'mirror-dcs')
    for (let run = 0; run < 2; run++)
      expect(await runProgram('sh', ['-ec', example], { env: withCommands() })).toMatchObject({ code: 0 })
    const { total_records } = await statusOf('medication')
    expect((await readFile('medication.ndjson', 'utf8')).trim().split('\n')).toHaveLength(total_records + 1)
  })

  const secrets = () => ({
    SERVICE: workspace.origin,
    CLIENT_ID: workspace.environment.DCS_CLIENT_ID,
    CLIENT_SECRET: workspace.environment.DCS_CLIENT_SECRET,
    API_KEY: workspace.environment.DCS_API_KEY,
  })

  const IMPATIENT = 'import runpy, sys, time; time.sleep = lambda _: None; sys.argv = sys.argv[1:]; '
  const PYTHON = `${IMPATIENT}runpy.run_path('nightly.py', run_name='__main__')`

  /** The jobs with curl and Python, without waits. Each run has its own file and settings. */
  const jobs = [
    ['sh', 'nightly.sh'],
    ['python3', '-c', PYTHON, 'nightly.py'],
  ].map(([program, ...args]) => async (file, others, ...marker) => {
    const env = { ...secrets(), ...others }
    const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`)
    await put('settings', `${lines.join('')}sleep() { :; }\n`)
    return runProgram(program, [...args, file, ...marker], { env: { ...env, SETTINGS: './settings' } })
  })

  /** The whole catalog, and half of it. The guard of the jobs accepts the whole one. */
  async function wholeAndHalf() {
    const { stdout } = await dcs(['pull', 'medication'])
    const lines = stdout.trimEnd().split('\r\n')
    await put('whole.csv', stdout)
    await put('half.csv', `${lines.slice(0, lines.length / 2).join('\r\n')}\r\n`)
    return stdout
  }

  beforeAll(async () => {
    for (const name of ['nightly.sh', 'nightly.py']) await put(name, await job(name))
  })

  it('contain jobs with curl and Python that write once, whatever happens to the connection', async () => {
    const others = []
    const other = await inPlace((request, response) => {
      others.push(request.headers.authorization)
      response.end('{}')
    })
    const foreign = [
      (response) => response.writeHead(302, { Location: other }).end(),
      (response) => response.end('<html>Log in</html>'),
      (response) => response.end('{"message": "Down for maintenance"}'),
      (response) => response.writeHead(530).end('{}'),
    ]
    for (const [number, run] of jobs.entries()) {
      const whole = await wholeAndHalf()
      const { revision } = await statusOf('medication')
      let answers = 0
      const SERVICE = await inFront((request, response) => {
        if (!isWrite(request)) return 'pass'
        if (answers < foreign.length) return foreign[answers++](response) && 'none'
        return answers++ === foreign.length ? 'lose' : 'pass'
      })
      await put('changed.csv', whole.replace('Budesonide', `Budesonide ${number}`))
      expect(await run('changed.csv', { SERVICE })).toMatchObject({ code: 0 })
      expect({ answers, others }).toEqual({ answers: foreign.length + 2, others: [] })
      expect((await statusOf('medication')).revision).toBe(revision + 1)
    }
  })

  it('contain jobs that fail if the file is not written', async () => {
    await putAgo(24.75, 'old.csv', await wholeAndHalf())
    const SERVICE = await inFront((request, response) => (isWrite(request) ? response.destroy() && 'none' : 'pass'))
    for (const run of jobs) {
      const stopped = await run('half.csv')
      expect(stopped.stdout + stopped.stderr).toContain('shrink_guard')
      expect(stopped.code).not.toBe(0)
      for (const file of ['old.csv', 'none.csv'])
        expect(await run(file)).toMatchObject(warned(2, 'older than 20 hours'))
      const unanswered = await run('whole.csv', { SERVICE })
      expect(unanswered.code).not.toBe(0)
      expect(unanswered.stdout, 'the log must not have the token').toBe('')
    }
    expect(await jobs[0]('whole.csv', { API_KEY: 'x' })).toMatchObject({ code: 5 })
  })

  it('contain jobs that send no file that may be incomplete', async () => {
    await wholeAndHalf()
    await put('cut.csv', 'medication_id,name,strength\nN1,New,20')
    await putAgo(1, 'marker', '')
    const there = new Date(Date.now() + 3_600_000).toUTCString()
    const ahead = await inFront((request, response) => {
      const writeHead = response.writeHead.bind(response)
      response.writeHead = (status, headers) => writeHead(status, { ...headers, date: there })
      return isWrite(request) ? 'none' : 'pass'
    })
    for (const run of jobs) {
      expect(await run('cut.csv')).toMatchObject(warned(2, 'may be truncated'))
      for (const marker of ['none', 'marker'])
        expect(await run('whole.csv', {}, marker)).toMatchObject(warned(2, 'is not finished'))
      expect(await run('whole.csv', { SERVICE: ahead })).toMatchObject(warned(2, /the clocks? of this machine/))
    }
  })

  it('contain jobs that ignore responses to older requests', async () => {
    await wholeAndHalf()
    await rm('link; a,b.csv', { force: true })
    await symlink('whole.csv', 'link; a,b.csv')
    const done = await put('done', '')
    for (const run of jobs) {
      let replayed
      const SERVICE = await inFront(async (request, response) => {
        if (!isWrite(request) || replayed !== undefined) return 'pass'
        replayed = await workspace.client.post('/admin/datasets/v1/', { query: { type: 'medication' }, body: [] })
        response.end(JSON.stringify({ success: true, message: 'old', data: replayed }))
        return 'none'
      })
      const ended = await run('link; a,b.csv', { SERVICE }, done)
      expect(ended).toMatchObject(said(0, '150 records written'))
      expect(replayed.idempotency_key).not.toBeNull()
    }
  })

  it('contain jobs that exit with 8 if their file is replaced during the upload', async () => {
    for (const run of jobs) {
      await wholeAndHalf()
      const SERVICE = await inFront(async (request) => {
        if (isWrite(request)) await put('whole.csv', 'another')
        return 'pass'
      })
      expect(await run('whole.csv', { SERVICE })).toMatchObject(warned(8, 'was replaced meanwhile'))
    }
  })

  it('describe the retries of all jobs', async () => {
    const sync = await guide('sync.md')
    const [, list, from, to] = /^\| none or not all of it, ([\d, ]+), (\d+) to (\d+) \|/m.exec(sync)
    const all = Array.from({ length: 200 }, (_, n) => 400 + n)
    const told = all.filter((status) => list.split(', ').includes(String(status)) || (status >= from && status <= to))
    expect(all.filter((status) => isTransient(new ServiceError('', { status })))).toEqual(told)
    const pattern = /0:3\* \| (.*)\) ;;/.exec(await job('nightly.sh'))[1]
    const loop = `for S in ${all.join(' ')}; do case 0:$S in ${pattern}) echo $S ;; esac; done`
    expect((await runProgram('sh', ['-c', loop])).stdout.trim().split('\n').map(Number)).toEqual(told)
    const line = /^REPEATED = .*$/m.exec(await job('nightly.py'))[0]
    const { stdout } = await runProgram('python3', ['-c', `${line}\nprint([s for s in REPEATED if s and s >= 400])`])
    expect(JSON.parse(stdout)).toEqual(told)
  })

  it('contain jobs that end immediately if the certificate is not trusted', async () => {
    const names = ['-nodes', '-subj', '/CN=localhost', '-keyout', 'untrusted.key', '-out', 'untrusted.pem']
    const made = await runProgram('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...names])
    expect(made.code, made.stderr).toBe(0)
    const server = createServer({ key: await readFile('untrusted.key'), cert: await readFile('untrusted.pem') })
    let connections = 0
    server.on('connection', () => connections++).listen(0, '127.0.0.1')
    onTestFinished(() => server.close())
    await once(server, 'listening')
    const url = `https://localhost:${server.address().port}`
    await put('whole.csv', 'medication_id,name\n')
    for (const [index, run] of jobs.entries()) {
      expect(await run('whole.csv', { SERVICE: url })).toMatchObject(warned(index === 0 ? 5 : 1, /certificate/i))
      expect(connections).toBe(index + 1)
    }
    const file = await put('untrusted.csv', 'medication_id,name\nU1,Untrusted\n')
    for (const command of [['push', 'medication', file], ['status']])
      expect(await dcs([...command, '--url', url])).toMatchObject(warned(2, 'NODE_EXTRA_CA_CERTS'))
    expect(connections).toBe(jobs.length + 2)
  })

  it('contain a working line for cron', async () => {
    const [, folders, line] = /^(PATH=\S+)\nCRON_TZ=UTC\n(.*)\n$/.exec(
      exampleOf(await guide('sync.md'), 'cron', 'nightly-cron'),
    )
    const [, time, user, command] = /^((?:\S+ ){5})(\S+) (.*)$/.exec(line)
    expect([folders, time, user]).toEqual(['PATH=/usr/local/bin:/usr/bin:/bin', '15 4 * * * ', 'catalog'])
    // cron cuts a command at this character.
    expect(command).not.toContain('%')
    await mkdir('bin', { recursive: true })
    await put('bin/catalog-nightly', await job('nightly.sh'))
    await chmod('bin/catalog-nightly', 0o755)
    await wholeAndHalf()
    const given = Object.entries({ ...secrets() }).map(([name, value]) => `${name}='${value}'\n`)
    await put('cron-settings', given.join(''))
    const here = command
      .replace('/srv/export/formulary.csv', absolute('whole.csv'))
      .replace('/srv/export/formulary.done', absolute(await put('whole.done', '')))
      .replace('/var/log/catalog.log', absolute('catalog.log'))
    const environment = ['-i', `SETTINGS=${absolute('cron-settings')}`, `PATH=${absolute('bin')}:/usr/bin:/bin`]
    expect(await runProgram('env', [...environment, 'sh', '-c', here])).toMatchObject({ code: 0, stdout: '' })
    expect(await readFile('catalog.log', 'utf8')).toContain('"batch_id"')
  })

  it('contain a recipe for Mirth whose requests return the documented responses', async () => {
    await wholeAndHalf()
    const sync = await guide('sync.md')
    const transformer = exampleOf(sync.replaceAll(/^ {3}/gm, ''), 'js', 'nightly-mirth')
    const channelMap = new Map()
    const run = (hours) =>
      runInNewContext(transformer, {
        sourceMap: new Map([['fileLastModified', String(Date.now() - hours * 3_600_000)]]),
        channelMap: { put: (name, value) => channelMap.set(name, value) },
        DateUtil: { getCurrentDate: () => '20261128-031500' },
      })
    expect(() => run(24)).toThrow('older than 20 hours')
    run(1)
    const [, tokenPath] = /posts .* as `application\/x-www-form-urlencoded` to `(.*?)`/.exec(sync)
    const [, path] = /posts `\$\{message\.rawData\}` as `text\/csv` to `(.*?)`/.exec(sync)
    const { CLIENT_ID: client_id, CLIENT_SECRET: client_secret, API_KEY: api_key } = secrets()
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, api_key })
    const { access_token } = await (await fetch(`${workspace.origin}${tokenPath}`, { method: 'POST', body })).json()
    const send = async (file, token = access_token) => {
      const headers = { 'Content-Type': 'text/csv', 'Idempotency-Key': channelMap.get('key') }
      return fetch(`${workspace.origin}${path}`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${token}` },
        body: await readFile(file),
      })
    }
    const [first, again] = [await send('whole.csv'), await send('whole.csv')]
    expect([first.status, again.status, again.headers.get('Idempotency-Replayed')]).toEqual([200, 200, 'true'])
    expect((await first.json()).data.batch_id).toBe((await again.json()).data.batch_id)
    expect((await send('whole.csv', 'ended')).status).toBe(401)
    channelMap.set('key', 'medication-of-the-next-night')
    const held = await send('half.csv')
    expect([held.status, (await held.json()).errors[0].upload_id]).toEqual([409, expect.any(String)])
  })

  it('contain a job with dcs that writes the newest file', async () => {
    await wholeAndHalf()
    const { CLIENT_ID, CLIENT_SECRET, API_KEY } = secrets()
    await put('client-secret', `${CLIENT_SECRET}\n`)
    await put('api-key', `${API_KEY}\n`)
    const job = exampleOf(await guide('sync.md'), 'sh', 'nightly-dcs')
      .replace('https://catalog.example', workspace.origin)
      .replace('your-client-id', CLIENT_ID)
      .replaceAll('/etc/catalog', workspace.folder)
      .replaceAll('/srv/export', 'export')
    await mkdir('export', { recursive: true })
    await put('export/formulary-1.csv', await readFile('whole.csv'))
    const old = new Date(Date.now() - 60_000)
    await utimes('export/formulary-1.csv', old, old)
    await put('export/formulary-1.done', '')
    // Once by hand, as the guide says.
    const validated = ['validate', 'medication', 'export/formulary-1.csv', '--answers', 'formulary.json']
    expect(await dcs(validated, { stdin: terminal('keep') })).toMatchObject({ code: 0 })
    const environment = ['-i', `PATH=${withCommands().PATH}`]
    expect(await runProgram('env', [...environment, 'sh', '-c', job])).toMatchObject({ code: 0 })
  })
})
