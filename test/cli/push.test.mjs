import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import {
  csv,
  dcs,
  dcsJson,
  inFront,
  isWrite,
  put,
  runProgram,
  said,
  statusOf,
  terminal,
  warned,
  withWorkspace,
  workspace,
} from './workspace.mjs'

withWorkspace()

const startDcs = (args, env = {}) =>
  spawn(process.execPath, ['node_modules/dataset-catalog/dcs.js', ...args], {
    cwd: workspace.folder,
    env: { ...workspace.environment, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  })

describe('dcs push', () => {
  it('writes a file, and reports no differences the second time', async () => {
    const file = await put('new.csv', csv('P1,Aspirin,ASS', 'P2,Ibuprofen,'))
    // As processed by a shell and the build.
    const first = await runProgram('node_modules/.bin/dcs', ['push', 'medication', file])
    expect(first).toMatchObject(said(0, '2 inserted, 0 unchanged'))
    expect(first.stderr).toContain('2 rows. Sending.')
    const again = await dcsJson(['push', 'medication', '-', '--quiet'], {
      input: await readFile(file),
    })
    expect(again).toMatchObject({ code: 0, exit: 0, rows: 2, file: null })
    expect(again.results).toMatchObject([{ outcome: 'written', written: { unchanged: 2 } }])
  })

  it('stops at a guard until the user follows its hint', async () => {
    const filled = await put('filled.csv', csv('G1,Aspirin,ASS', 'G2,Ibuprofen,'))
    await dcs(['push', 'medication', filled])
    const file = await put('emptied.csv', csv('G1,Aspirin,', 'G2,Ibuprofen,'))
    const shrunk = await dcsJson(['push', 'medication', file, '--reconcile'])
    expect(shrunk).toMatchObject({ code: 4, exit: 4 })
    expect(shrunk.results[0].stops.map(({ code }) => code)).toEqual(['shrink_guard'])
    const emptied = await dcs(['push', 'medication', file])
    expect(emptied).toMatchObject(said(4, '--allow-emptied aliases'))
    // The options of the hints work together with the guards of the job.
    const hinted = ['--reconcile', '--max-shrink', '5', '--confirm-shrink', '--allow-emptied', 'aliases', '--dry-run']
    expect(await dcs(['push', 'medication', file, ...hinted])).toMatchObject({ code: 0 })
    expect(await dcs(['push', 'medication', file, '--max-emptied', '1'])).toMatchObject({ code: 0 })
    await dcs(['push', 'medication', filled])
    expect(await dcs(['push', 'medication', file, '--allow-emptied', 'aliases'])).toMatchObject({ code: 0 })
  })

  it('lists the changes that it would make, or has made', async () => {
    await dcs(['push', 'medication', await put('before.csv', csv('P8,Aspirin,'))])
    const file = await put('plan.csv', csv('P8,Aspirin 500,', 'P9,New,'))
    const before = await statusOf('medication')
    const planned = await dcs(['push', 'medication', file, '--dry-run', '--exit-code', '--diff', 'changes.csv'])
    expect(planned).toMatchObject(said(7, '1 inserted, 1 updated'))
    expect(await readFile('changes.csv', 'utf8')).toContain('inserted,P9,New')
    expect(await statusOf('medication')).toEqual(before)
    expect(await dcs(['push', 'medication', file, '--diff', 'changed.csv'])).toMatchObject({ code: 0 })
    expect(await readFile('changed.csv', 'utf8')).toContain('inserted,P9,New')
  })

  it('sends a file in one request after a dry run, even if the service will reject it', async () => {
    const requests = []
    const url = await inFront(({ method, url, headers }) => {
      if (!url.endsWith('/token')) requests.push([method, url, typeof headers['idempotency-key']])
      return 'pass'
    })
    await put('one.csv', csv('O1,One,'))
    await put('two.csv', 'medication_id,name,otc\nO1,One,maybe\n')
    const push = (file) =>
      dcs(['push', 'medication', file, '--url', url, '--reconcile', '--confirm-shrink', '--dry-run'])
    await push('one.csv')
    const address = (dryRun = '') => `/admin/datasets/v1/?type=medication&mode=upsert${dryRun}&max_emptied=0`
    await dcs(['push', 'medication', 'one.csv', '--url', url])
    expect(await dcs(['push', 'medication', 'two.csv', '--url', url])).toMatchObject({ code: 3 })
    const both = [address('&dry_run=true&examples=1000'), address()]
    expect(requests.slice(1)).toEqual([...both, ...both].map((each) => ['POST', each, 'string']))
    const { uploads } = await dcsJson(['uploads', 'medication'])
    const newest = uploads.find(({ outcome }) => outcome !== 'held')
    expect(newest).toMatchObject({ outcome: 'invalid', file_name: 'two.csv', errors: [{ field: 'otc' }] })
    expect(await dcs(['status', '--check'])).toMatchObject(said(1, 'the newest file was not written (invalid'))
  })

  it('prints every error with its location, and marks it in a copy of the file', async () => {
    const file = await put('wrong.csv', 'medication_id,name,otc\nW1,A,maybe\n,B,yes\n')
    const { code, stdout, stderr } = await dcs(['push', 'medication', file, '--errors', 'marked.csv'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/row 2 {2}otc .*"maybe"\nrow 3 {2}medication_id {2}is required/)
    expect(await readFile('marked.csv', 'utf8')).toMatch(/W1,A,maybe,"?otc: must be/)
    const { errors } = await dcsJson(['validate', 'medication', file], { env: { DCS_URL: undefined } })
    expect(errors[0]).toMatchObject({ row: 2, field: 'otc', code: 'wrong_type', value: 'maybe' })
    const right = await put('right.csv', 'medication_id,name,otc\nW1,A,yes\n')
    expect(await dcs(['push', 'medication', right, '--errors', 'marked.csv'])).toMatchObject({ code: 0 })
    await expect(readFile('marked.csv')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('prints the warnings of a file that it only checks', async () => {
    const file = await put('conflict.csv', 'medication_id,name,strength\nL1,Levothyroxine 100mcg,100mg\n')
    const checked = await dcs(['validate', 'medication', file])
    expect(checked).toMatchObject({ code: 0, stderr: 'strength: 1 strength that contradicts the name: "100mg"\n' })
    const { warnings } = await dcsJson(['validate', 'medication', file])
    expect(warnings).toMatchObject([{ field: 'strength', code: 'strength_conflict', count: 1 }])
  })

  it('fails for the warnings of --fail-on before anything is written', async () => {
    const file = await put('fails.csv', 'medication_id,name,strength\nL2,Levothyroxine 100mcg,100mg\n')
    const conflict = ['--fail-on', 'strength_conflict']
    const before = await statusOf('medication')
    for (const command of [['validate'], ['push', '--dry-run'], ['push']]) {
      const failed = await dcs([...command, 'medication', file, ...conflict])
      expect(failed).toMatchObject({ code: 3, stdout: '' })
      expect(failed.stderr).toContain('strength: 1 strength that contradicts the name: "100mg"')
    }
    expect((await statusOf('medication')).revision).toBe(before.revision)
    expect(await dcs(['push', 'medication', file, '--fail-on', 'mixed_scripts'])).toMatchObject({ code: 0 })
    expect(await dcs(['push', 'medication', file, '--fail-on', 'strength'])).toMatchObject(
      warned(2, 'strength_conflict'),
    )
  })

  it('stops at an unexpected name for an existing ID until the user answers', async () => {
    await dcs(['push', 'medication', await put('a.csv', 'medication_id,name,strength\n407,Procoralan 5 mg,5 mg\n')])
    const file = await put('b.csv', 'medication_id,name\n407,Omeprazole 20 mg capsules\n')
    const push = (...more) =>
      dcs(['push', 'medication', file, '--answers', 'names.json', '--allow-emptied', 'all', ...more])
    const before = await statusOf('medication')
    const asked = await push()
    expect(asked).toMatchObject(
      warned(3, /1 existing ID would get an unexpected new name.*names\.json holds no answers yet.*--answers/s),
    )
    expect(asked.stderr).toContain('row 2: “Procoralan 5 mg” becomes “Omeprazole 20 mg capsules”')
    expect((await statusOf('medication')).revision).toBe(before.revision)
    const { uploads } = await dcsJson(['uploads', 'medication'])
    const reported = uploads.find(({ file_name }) => file_name === 'b.csv')
    expect(reported).toMatchObject({ outcome: 'not_sent' })
    expect(reported.message).not.toMatch(/Omeprazole|Procoralan/)
    const args = ['push', 'medication', file, '--answers', 'names.json', '--allow-emptied', 'all']
    expect(await dcs(args, { stdin: terminal('yes') })).toMatchObject(said(0, '1 updated'))
    await dcs(['restore', 'medication', '--revision', String(before.revision), '--yes'])
    expect(await push()).toMatchObject(said(0, '1 updated'))
    await put('b.csv', 'medication_id,name\n407,Rabeprazole\n')
    expect(await push()).toMatchObject(warned(3, 'unexpected new name'))
  })

  it('sends a large file in parts, and if one of them is blocked, says what was written', async () => {
    // Thirty rows exceed the limit of a request.
    const rows = Array.from({ length: 30 }, (_, i) => `L${i},Large ${i},,${'x'.repeat(400_000)}\n`)
    const diagnoses = (content) => `diagnosis_id,name,aliases,refid\n${content}`
    const last = await put('last.csv', diagnoses('L29,Large 29,a,\n'))
    const push = (name) => dcs(['push', 'diagnosis', name])
    expect(await push(last)).toMatchObject({ code: 0 })
    expect(await push(await put('large.csv', diagnoses(rows.join(''))))).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(
        /Stopped\. Rows up to 2\d were written \(2\d inserted, .*\), later rows were not\. 1 record would lose their value in aliases/,
      ),
    })
    // Nothing is left for a monitor to report.
    expect(await push(last)).toMatchObject({ code: 0 })
  })

  it('says after Ctrl-C that the same command can be run again', async () => {
    const file = await put('stopped.csv', csv('STOPPED,Stopped,'))
    let child
    const url = await inFront((request) => {
      if (!isWrite(request)) return 'pass'
      child.kill('SIGINT')
      return 'none'
    })
    child = startDcs(['push', 'medication', file], { DCS_URL: url })
    const [said, [ended]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect(ended).toBe(130)
    expect(said).toContain('Stopped by Ctrl-C.')
    expect(said).toContain('The last upload may or may not have been written.')
    expect(said).toContain('It is safe to run the command again.')
  })

  it('ends immediately with SIGTERM while it waits for standard input', async () => {
    const child = startDcs(['push', 'medication', '-'])
    // More than a pipe's buffer, so the command has begun to read.
    await new Promise((done) => child.stdin.write('x'.repeat(1 << 20), done))
    child.kill('SIGTERM')
    const [[ended], said] = await Promise.all([once(child, 'close'), text(child.stderr)])
    expect(ended).toBe(143)
    expect(said).toContain('Stopped by SIGTERM.')
  })
})
