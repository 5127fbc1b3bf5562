import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/local/started.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { endGroup, startLocal } from './support.mjs'

/** The package as the service serves it, installed in an empty folder of somebody else, against a running service. */

/** The client alone, packed, in bytes. */
const MOST_BYTES_OF_CLIENT = 15_000

let folder
let origin
let environment
let service

/** Runs a program to its end. */
async function runProgram(file, args, { env = {}, input, cwd = folder } = {}) {
  const child = spawn(file, args, { cwd, env: { ...environment, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

const dcs = (args, options) => runProgram(path.join(folder, 'node_modules', '.bin', 'dcs'), args, options)

/** The object that a command prints with `--json`. */
async function dcsJson(args, options) {
  const { code, stdout } = await dcs([...args, '--json'], options)
  return { code, ...JSON.parse(stdout) }
}

/** Writes a file into the folder of the test. @returns its name */
async function put(name, content) {
  await writeFile(path.join(folder, name), content)
  return name
}

const csv = (...rows) => `medication_id,name,aliases\n${rows.map((row) => `${row}\n`).join('')}`

/** A server in front of the service. @param answer returns false to pass the request on */
async function inFront(answer) {
  const server = createServer((request, response) => {
    if (answer(request, response) !== false) return
    const { method, url, headers } = request
    const onward = httpRequest(`${origin}${url}`, { method, headers }, (found) => {
      response.writeHead(found.statusCode, found.headers)
      found.pipe(response)
    })
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** Whether a request writes, and is no dry run. */
const isWrite = ({ method, url }) =>
  method === 'POST' && /^\/admin\/(?:datasets\/|catalogs\/.*\/write)/.test(url) && !url.includes('dry_run')

const writesOf = async (type) => {
  const { stdout } = await dcs(['status', '--json'])
  return JSON.parse(stdout).catalogs.find((each) => each.type === type)
}

beforeAll(async () => {
  const scratch = await mkdtemp(path.join(tmpdir(), 'command-line-'))
  folder = path.join(scratch, 'empty')
  await mkdir(folder)
  const ports = ['--port', String(await freePort()), '--inspector-port', String(await freePort())]
  service = await startLocal([...ports, '--persist-to', path.join(scratch, 'state')])
  const [, id, secret, key] =
    /client_id +(\S+)\s+client_secret +(\S+)\s+X-API-KEY +(\S+)/.exec(service.output()) ?? []
  origin = /(http:\/\/localhost:\d+)\s/.exec(service.output())[1]
  environment = {
    PATH: process.env.PATH,
    HOME: path.join(scratch, 'home'),
    DCS_URL: origin,
    DCS_CLIENT_ID: id,
    DCS_CLIENT_SECRET: secret,
    DCS_API_KEY: key,
  }
  await mkdir(environment.HOME)
  await put('package.json', '{"private": true, "type": "module"}')
  const installed = await runProgram('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    `${origin}/client/latest.tgz`,
  ])
  if (installed.code !== 0) throw new Error(installed.stderr)
})

afterAll(async () => {
  await endGroup(service)
  await rm(path.dirname(folder), { recursive: true, force: true })
})

describe('the package', () => {
  const installed = (name) => path.join(folder, 'node_modules', 'dataset-catalog', name)

  it('is the file that the service names, with its digest', async () => {
    const info = await (await fetch(`${origin}/client/`)).json()
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    expect(info).toMatchObject({ version, path: `/client/dataset-catalog-${version}.tgz` })
    for (const address of [info.path, '/client/latest.tgz']) {
      const response = await fetch(`${origin}${address}`)
      expect(response.headers.get('Repr-Digest')).toBe(info.digest)
      const hash = createHash('sha256').update(Buffer.from(await response.arrayBuffer()))
      expect(hash.digest('hex')).toBe(info.sha256)
    }
    expect((await fetch(`${origin}/client/dataset-catalog-0.0.1.tgz`)).status).toBe(404)
  })

  it('needs no other package, and its client is small', async () => {
    expect(await readdir(path.join(folder, 'node_modules'))).toEqual(
      expect.arrayContaining(['.bin', 'dataset-catalog']),
    )
    expect(JSON.parse(await readFile(installed('package.json'), 'utf8'))).not.toHaveProperty('dependencies')
    const code = await readFile(installed('client.js'))
    expect(gzipSync(code).byteLength).toBeLessThan(MOST_BYTES_OF_CLIENT)
    expect(String(code)).not.toMatch(/\bfrom\s*["']|\bimport\s*["'(]/)
  })

  it('has types that refuse wrong calls, without the types of any other package', async () => {
    const calls = await readFile(path.join(root, 'test', 'client', 'wrong-calls.ts'), 'utf8')
    await put('calls.ts', calls.replace('#client/client', 'dataset-catalog'))
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2024', 'dom', 'dom.asynciterable'],
      types: [],
      strict: true,
      noEmit: true,
    }
    await put('tsconfig.json', JSON.stringify({ compilerOptions, files: ['calls.ts'] }))
    const { code, stdout } = await runProgram(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', '.'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })

  it('runs the examples of its guide', async () => {
    const guide = await readFile(path.join(root, 'docs', 'client.md'), 'utf8')
    for (const [, name, code] of guide.matchAll(/^```js (client-\w+)\n(.*?)^```$/gms))
      await put(`${name}.mjs`, code)
    await put('few.csv', csv('C1,Example,', 'C2,Other,'))
    await put(
      'guide.mjs',
      `import { connect } from './client-start.mjs'
       import { nightly } from './client-sync.mjs'
       import { follow, namesOf } from './client-read.mjs'
       import { status } from './client-call.mjs'
       const { DCS_URL: baseUrl, DCS_CLIENT_ID: clientId, DCS_CLIENT_SECRET: clientSecret, DCS_API_KEY: apiKey } = process.env
       const attempts = []
       const client = connect({ baseUrl, clientId, clientSecret, apiKey, onAttempt: (one) => attempts.push(one) })
       const copy = { position: null, records: new Map() }
       await follow(client, copy)
       const [stop] = await nightly(client, 'few.csv')
       const { revision, active_records } = await status(client)
       const names = await namesOf(client)
       console.log(JSON.stringify({ stop, attempts, isWhole: names.length === active_records, isThere: copy.position.revision === revision }))`,
    )
    const { stdout, stderr } = await runProgram(process.execPath, ['guide.mjs'])
    expect(stderr).toBe('')
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ stop: { code: 'shrink_guard' }, isWhole: true, isThere: true })
    expect(found.attempts[0]).toMatchObject({
      method: 'GET',
      path: '/admin/catalogs/v1/{type}/changes',
      status: 200,
    })
  })
})

describe('dcs push', () => {
  it('writes a file, and says the second time that nothing differs', async () => {
    const file = await put('new.csv', csv('P1,Aspirin,ASS', 'P2,Ibuprofen,'))
    const first = await dcs(['push', 'medication', file])
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('2 inserted, 0 unchanged') })
    expect(first.stderr).toContain('2 rows without errors')
    const again = await dcsJson(['push', 'medication', '-', '--quiet'], {
      input: await readFile(path.join(folder, file)),
    })
    expect(again).toMatchObject({ code: 0, exit: 0, rows: 2, file: null })
    expect(again.results[0].written).toMatchObject({ unchanged: 2, lookedUp: false })
  })

  it('stops a file that leaves out too much, and one that empties a field, until that is allowed', async () => {
    const file = await put('emptied.csv', csv('P1,Aspirin,', 'P2,Ibuprofen,'))
    const shrunk = await dcsJson(['push', 'medication', file, '--reconcile'])
    expect(shrunk).toMatchObject({ code: 4, exit: 4 })
    expect(shrunk.results[0].stops.map(({ code }) => code)).toEqual(['shrink_guard', 'emptied'])
    const emptied = await dcs(['push', 'medication', file])
    expect(emptied).toMatchObject({ code: 4, stdout: expect.stringContaining('--allow-emptied aliases') })
    expect(await dcs(['push', 'medication', file, '--allow-emptied', 'aliases'])).toMatchObject({ code: 0 })
  })

  it('only says what would change, and lists it', async () => {
    const file = await put('plan.csv', csv('P1,Aspirin 500,', 'P9,New,'))
    const before = await writesOf('medication')
    const planned = await dcs([
      'push',
      'medication',
      file,
      '--dry-run',
      '--exit-code',
      '--diff',
      'changes.csv',
    ])
    expect(planned).toMatchObject({ code: 7, stdout: expect.stringContaining('1 inserted, 1 updated') })
    expect(await readFile(path.join(folder, 'changes.csv'), 'utf8')).toContain('inserted,P9,New')
    expect(await writesOf('medication')).toEqual(before)
  })

  it('prints every error with row, field and value, and marks them in the file', async () => {
    const file = await put('wrong.csv', 'medication_id,name,otc\nW1,A,maybe\n,B,yes\n')
    const { code, stdout, stderr } = await dcs(['push', 'medication', file, '--errors', 'marked.csv'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/row 2 {2}otc .*"maybe"\nrow 3 {2}medication_id {2}is required/)
    expect(await readFile(path.join(folder, 'marked.csv'), 'utf8')).toMatch(/W1,A,maybe,"?otc: must be/)
    const { errors } = await dcsJson(['validate', 'medication', file], { env: { DCS_URL: undefined } })
    expect(errors[0]).toMatchObject({ row: 2, field: 'otc', code: 'wrong_type', value: 'maybe' })
  })

  it('reads workbooks, and ends with 3 and the option that answers a question', async () => {
    const sheet = (rows) => utils.aoa_to_sheet(rows)
    const workbook = utils.book_new()
    utils.book_append_sheet(
      workbook,
      sheet([
        ['Medication ID', 'Brand'],
        ['X1', 'Panadol'],
      ]),
      'Drugs',
    )
    utils.book_append_sheet(
      workbook,
      sheet([
        ['Medication ID', 'Name'],
        ['X2', 'Other'],
      ]),
      'Old',
    )
    const file = await put('book.xlsx', write(workbook, { type: 'buffer', bookType: 'xlsx' }))
    const push = (...more) => dcs(['push', 'medication', file, ...more])
    expect(await push()).toMatchObject({ code: 3, stderr: expect.stringContaining('--sheet') })
    const unclear = await push('--sheet', 'Drugs')
    expect(unclear).toMatchObject({ code: 3, stderr: expect.stringContaining('--map "Brand=name"') })
    const written = await push('--sheet', 'Drugs', '--map', 'Brand=name')
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining('1 inserted') })
    expect(await push('--sheet', 'None')).toMatchObject({ code: 2 })
    const other = await dcs(['validate', 'medication', path.join(root, 'samples', 'diagnoses.csv')])
    expect(other).toMatchObject({ code: 3, stderr: expect.stringContaining('--type-is-right') })
  })

  it('asks about columns and about rows that add others up, and takes the answers as options', async () => {
    const file = await put('asks.csv', 'Medication ID,Name,Notes,Strength (mg)\n1,A,x,500\nTotal,1 item,,\n')
    const asked = (...more) => dcs(['validate', 'medication', file, ...more])
    const columns = ['--map', 'Strength (mg)=strength mg', '--map', '*=']
    expect(await asked()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"Strength (mg)=strength mg"'),
    })
    expect(await asked(...columns)).toMatchObject({ code: 3, stderr: expect.stringContaining('--totals') })
    expect(await asked(...columns, '--totals', 'leave-out')).toMatchObject({ code: 0, stderr: '' })
    expect(await asked('--map', 'Dose=strength')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Dose'),
    })
    expect(await asked('--map', 'Notes=remark')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('remark'),
    })
  })

  it('takes the newest file that stands still, refuses an old one, and moves what is written', async () => {
    await mkdir(path.join(folder, 'in/done'), { recursive: true })
    await put('in/a-old.csv', csv('N1,Old,'))
    await put('in/a-new.csv', csv('N1,New,'))
    await put('in/a-moving.csv', csv('N1,Half'))
    const ago = (hours) => new Date(Date.now() - hours * 3_600_000)
    await utimes(path.join(folder, 'in/a-old.csv'), ago(50), ago(50))
    await utimes(path.join(folder, 'in/a-new.csv'), ago(1), ago(1))
    const timer = setInterval(() => writeFile(path.join(folder, 'in/a-moving.csv'), 'x'), 100)
    onTestFinished(() => clearInterval(timer))
    const args = ['push', 'medication', 'in/a-*.csv', '--newest', '--max-age', '26h', '--move-to', 'in/done']
    const written = await dcs(args)
    expect(written).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a-moving.csv is being written'),
    })
    clearInterval(timer)
    expect(await readdir(path.join(folder, 'in/done'))).toEqual(['a-new.csv'])
    await rm(path.join(folder, 'in/a-moving.csv'))
    expect(await dcs(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('too old') })
  })

  it('finds a write whose answer was lost, and writes nothing twice', async () => {
    const file = await put('lost.csv', csv('L1,Lost,'))
    let isLost = false
    const url = await inFront((request, response) => {
      if (isLost || !isWrite(request)) return false
      isLost = true
      const { method, headers } = request
      const onward = httpRequest(`${origin}${request.url}`, { method, headers }, (found) => {
        found.resume().on('end', () => response.destroy())
      })
      request.pipe(onward)
    })
    const before = await writesOf('medication')
    const pushed = await dcsJson(['push', 'medication', file, '--url', url])
    expect(pushed.results[0].written).toMatchObject({
      inserted: 1,
      lookedUp: true,
      revision: before.revision + 1,
    })
    expect((await writesOf('medication')).revision).toBe(before.revision + 1)
  })

  it('is done by the next run after it was killed, with one write', async () => {
    const file = await put('killed.csv', csv('K1,Killed,'))
    const before = await writesOf('medication')
    let child
    const url = await inFront((request) => {
      if (isWrite(request)) child?.kill('SIGKILL')
      return false
    })
    child = spawn(
      process.execPath,
      [path.join(folder, 'node_modules/dataset-catalog/dcs.js'), 'push', 'medication', file],
      {
        cwd: folder,
        env: { ...environment, DCS_URL: url },
        stdio: 'ignore',
      },
    )
    await once(child, 'close')
    expect(await dcs(['push', 'medication', file])).toMatchObject({ code: 0 })
    const after = await writesOf('medication')
    expect(after.active_records).toBe(before.active_records + 1)
    expect(after.revision).toBe(before.revision + 1)
  })
})

describe('dcs pull and changes', () => {
  it('writes the catalog as CSV, as a workbook and as a JSON object on each line', async () => {
    const { active_records } = await writesOf('diagnosis')
    const rows = await dcs(['pull', 'diagnosis'])
    expect(rows.stdout.trim().split(/\r?\n/)).toHaveLength(active_records + 1)
    const lines = await dcs(['pull', 'diagnosis', '--format', 'ndjson'])
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toHaveLength(active_records)
    expect(await dcs(['pull', 'diagnosis', '--format', 'xlsx'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^PK/),
    })
  })

  it('ends in silence when its reader has enough', async () => {
    const { code, stdout, stderr } = await runProgram('sh', [
      '-c',
      'node_modules/.bin/dcs pull medication --format ndjson | head -n 1; exit "$?"',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveProperty('medication_id')
  })

  it('continues a mirror from its state, which is saved last', async () => {
    const args = ['changes', 'symptom', '--state', 'symptom.json', '--quiet']
    const first = (await dcs(args)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(first[0]).toEqual({ change: 'cleared' })
    const { total_records } = await writesOf('symptom')
    expect(first).toHaveLength(total_records + 1)
    expect((await dcs(args)).stdout).toBe('')
    const file = await put('symptom.csv', 'symptom_id,name\nMIRROR,Mirrored\n')
    await dcs(['push', 'symptom', file])
    const next = (await dcs(args)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(next).toMatchObject([{ change: 'inserted', record: { symptom_id: 'MIRROR' } }])
    await writeFile(path.join(folder, 'symptom.json'), JSON.stringify({ revision: 1, epoch: '0-0-0-0' }))
    expect((await dcs(args)).stdout).toMatch(/^\{"change":"cleared"\}\n/)
  })
})

describe('a file that waits', () => {
  const stop = (file) => dcsJson(['push', 'symptom', file, '--reconcile', '--max-shrink', '1'])

  it('is seen by the check of a monitor, and written when somebody approves it', async () => {
    const { active_records } = await writesOf('symptom')
    const file = await put('waits.csv', 'symptom_id,name\nWAITS,Waits\n')
    const stopped = await stop(file)
    expect(stopped).toMatchObject({
      exit: 4,
      results: [{ outcome: 'stopped', stops: [{ code: 'shrink_guard' }] }],
    })
    const { uploadId, heldUntil } = stopped.results[0].waiting
    // The guard of the service has refused it, so it waits for seven days and not for one.
    expect(Date.parse(heldUntil)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    expect((await dcs(['uploads', 'symptom'])).stdout).toContain(`${uploadId}  `)
    const checked = await dcs(['status', '--check'])
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(`^WARNING - .*${uploadId} waits`),
    })
    const guarded = await dcs(['approve', uploadId])
    expect(guarded).toMatchObject({ code: 4, stdout: '' })
    const args = ['approve', uploadId, '--confirm-shrink']
    const shown = await dcs([...args, '--dry-run'])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`${active_records} deactivated`) })
    expect(await dcs(args)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 inserted') })
    expect(await dcs(args)).toMatchObject({ code: 4, stderr: expect.stringContaining('approved') })
    expect((await dcs(['status', '--check'])).stdout).not.toContain(uploadId)
  })

  it('is discarded, and is gone', async () => {
    const file = await put('emptied.csv', 'medication_id,name,aliases\nD1,Discarded,One\n')
    await dcs(['push', 'medication', file])
    const stopped = await dcsJson(['push', 'medication', '-'], {
      input: 'medication_id,name\nD1,Discarded\n',
    })
    const { uploadId } = stopped.results[0].waiting
    expect(await dcs(['discard', uploadId])).toMatchObject({ code: 0 })
    expect(await dcs(['discard', uploadId])).toMatchObject({ code: 4 })
    expect(await dcs(['discard', '00000000-0000-4000-8000-000000000000'])).toMatchObject({ code: 2 })
  })

  it('is no trouble any more when a person has decided', async () => {
    for (const type of ['medication', 'lab_test', 'symptom', 'diagnosis']) {
      const { uploads } = await dcsJson(['uploads', type])
      const waiting = uploads.filter(({ outcome }) => outcome === 'held')
      for (const { upload_id } of waiting) await dcs(['discard', upload_id])
    }
    expect(await dcs(['status', '--check'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^OK - /),
    })
  })

  it('makes no check critical but a service that cannot be asked', async () => {
    const gone = await dcs(['status', '--check', '--url', 'http://127.0.0.1:9'])
    expect(gone).toMatchObject({ code: 2, stdout: expect.stringMatching(/^CRITICAL - /) })
  })
})

describe('dcs restore', () => {
  it('shows what it would change, and does it when it is told to', async () => {
    const { revision } = await writesOf('lab_test')
    const row = 'T1,Test,imaging,na\n'
    await dcs(['push', 'lab_test', '-'], { input: `lab_test_id,name,kind,result_type\n${row}` })
    const shown = await dcs(['restore', 'lab_test', '--revision', String(revision)])
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('1 deactivated') })
    expect((await writesOf('lab_test')).revision).toBe(revision + 1)
    expect(await dcs(['restore', 'lab_test', '--revision', String(revision), '--yes'])).toMatchObject({
      code: 0,
    })
    expect((await writesOf('lab_test')).revision).toBe(revision + 2)
    expect(await dcs(['restore', 'lab_test', '--revision', '9999'])).toMatchObject({ code: 2 })
  })
})

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
    await put('secret', `${environment.DCS_CLIENT_SECRET}\n`)
    const env = { DCS_CLIENT_SECRET: undefined, DCS_CLIENT_SECRET_FILE: 'secret' }
    const { code, stderr } = await dcs(['status'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('chmod 600 secret') })
    await mkdir(path.join(environment.HOME, '.config/dcs'), { recursive: true })
    const profile = { url: origin, client_id: environment.DCS_CLIENT_ID, client_secret_file: 'secret' }
    await writeFile(
      path.join(environment.HOME, '.config/dcs/profiles.json'),
      JSON.stringify({ night: profile }),
    )
    const unset = { DCS_URL: undefined, DCS_CLIENT_ID: undefined, DCS_CLIENT_SECRET: undefined }
    expect(await dcs(['status', '--profile', 'night'], { env: unset })).toMatchObject({ code: 0 })
  })
})

describe('dcs login', () => {
  /** Goes through the pages of the login as an account, and allows the program. @returns where the browser ends */
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
      } else if (url.origin === origin) {
        url = new URL('/api/v1/auth/oidc/allow', origin)
        init = { method: 'POST', headers: { Origin: origin, 'Sec-Fetch-Site': 'same-origin' } }
      } else init = { method: 'POST', body: new URLSearchParams({ account }) }
    }
    throw new Error('the login does not come to an end')
  }

  it('logs a person in with the browser, and the commands after it use the login', async () => {
    const [, account] = /log in as (\S+)/.exec(service.output())
    const home = { DCS_CLIENT_ID: undefined, DCS_CONFIG: path.join(folder, 'login', 'profiles.json') }
    expect(await dcs(['status'], { env: home })).toMatchObject({ code: 5 })
    const child = spawn(path.join(folder, 'node_modules/.bin/dcs'), ['login'], {
      env: { ...environment, ...home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [line] = await once(child.stderr, 'data')
    const back = await logInAsBrowser(/(http:\S+)/.exec(String(line))[1], account)
    expect(await (await fetch(back)).text()).toContain('You are logged in')
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(await dcs(['status'], { env: home })).toMatchObject({ code: 0 })
    for (const name of await readdir(path.join(folder, 'login'))) {
      expect((await stat(path.join(folder, 'login', name))).mode & 0o777).toBe(0o600)
    }
  })
})

describe('the guides', () => {
  const guide = (name) => readFile(path.join(root, 'docs', name), 'utf8')
  const exampleOf = (text, language, name) =>
    new RegExp(`^\`\`\`${language} ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(text)[1]

  it('show the help of the commands as it is', async () => {
    const blocks = [...(await guide('cli.md')).matchAll(/^```help dcs (.*?)\n(.*?)^```$/gms)]
    expect(blocks.map(([, args]) => args)).toEqual(['--help', 'push --help'])
    for (const [, args, help] of blocks) expect((await dcs(args.split(' '))).stdout).toBe(help)
  })

  const secrets = () => ({
    SERVICE: origin,
    CLIENT_ID: environment.DCS_CLIENT_ID,
    CLIENT_SECRET: environment.DCS_CLIENT_SECRET,
    API_KEY: environment.DCS_API_KEY,
  })

  /** The whole catalog, and half of it: the guard of the jobs lets the first in. */
  async function wholeAndHalf() {
    const { stdout } = await dcs(['pull', 'medication'])
    const lines = stdout.trimEnd().split('\r\n')
    await put('whole.csv', stdout)
    await put('half.csv', `${lines.slice(0, lines.length / 2).join('\r\n')}\r\n`)
  }

  it('have a job with curl that writes a file, and fails when the guard stops it', async () => {
    await wholeAndHalf()
    await put(
      'settings',
      Object.entries(secrets())
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    )
    await put('nightly.sh', exampleOf(await guide('sync.md'), 'sh', 'nightly-curl'))
    const run = (file) => runProgram('sh', ['nightly.sh', file], { env: { SETTINGS: './settings' } })
    expect(await run('whole.csv')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"success":true'),
    })
    const stopped = await run('half.csv')
    expect(stopped.stdout).toContain('shrink_guard')
    expect(stopped.code).not.toBe(0)
    await put(
      'settings',
      (await readFile(path.join(folder, 'settings'), 'utf8')).replace(/API_KEY=.*/, "API_KEY='x'"),
    )
    expect(await run('whole.csv')).toMatchObject({ code: 5 })
  })

  it('have a job with Python that writes a file, and fails when the guard stops it', async () => {
    await wholeAndHalf()
    await put('nightly.py', exampleOf(await guide('sync.md'), 'python', 'nightly-python'))
    const run = (file) => runProgram('python3', ['nightly.py', file], { env: secrets() })
    expect(await run('whole.csv')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('half.csv')).toMatchObject({ code: 1, stderr: expect.stringContaining('shrink_guard') })
  })

  it('have a job with dcs that writes the newest file', async () => {
    await wholeAndHalf()
    const job = exampleOf(await guide('sync.md'), 'sh', 'nightly-dcs')
      .replace(/^export .*\n/gm, '')
      .replaceAll('/srv/export', '.')
      .replace('dcs ', 'node_modules/.bin/dcs ')
    await mkdir(path.join(folder, 'done'))
    await put('formulary-1.csv', await readFile(path.join(folder, 'whole.csv')))
    const old = new Date(Date.now() - 60_000)
    await utimes(path.join(folder, 'formulary-1.csv'), old, old)
    expect(await runProgram('sh', ['-c', job])).toMatchObject({ code: 0 })
    expect(await readdir(path.join(folder, 'done'))).toEqual(['formulary-1.csv'])
  })
})
