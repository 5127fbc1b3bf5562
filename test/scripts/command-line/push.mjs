import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { utils, write } from '@e965/xlsx'
import { describe, expect, it, onTestFinished } from 'vitest'
import { splitPattern } from '#cli/files'
import { root } from '../../../scripts/wrangler.mjs'
import {
  csv,
  dcs,
  dcsJson,
  inFront,
  installedDcs,
  isWrite,
  onward,
  put,
  started,
  statusOf,
} from './started.mjs'

describe('dcs push', () => {
  it('writes a file, and says the second time that nothing differs', async () => {
    const file = await put('new.csv', csv('P1,Aspirin,ASS', 'P2,Ibuprofen,'))
    const first = await installedDcs(['push', 'medication', file])
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('2 inserted, 0 unchanged') })
    expect(first.stderr).toContain('2 rows without errors')
    const again = await dcsJson(['push', 'medication', '-', '--quiet'], {
      input: await readFile(file),
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
    const before = await statusOf('medication')
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
    expect(await readFile('changes.csv', 'utf8')).toContain('inserted,P9,New')
    expect(await statusOf('medication')).toEqual(before)
  })

  it('prints every error with row, field and value, and marks them in the file', async () => {
    const file = await put('wrong.csv', 'medication_id,name,otc\nW1,A,maybe\n,B,yes\n')
    const { code, stdout, stderr } = await dcs(['push', 'medication', file, '--errors', 'marked.csv'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/row 2 {2}otc .*"maybe"\nrow 3 {2}medication_id {2}is required/)
    expect(await readFile('marked.csv', 'utf8')).toMatch(/W1,A,maybe,"?otc: must be/)
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
    expect(await installedDcs(['push', 'medication', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--sheet'),
    })
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
    await mkdir('in/done', { recursive: true })
    await put('in/a-old.csv', csv('N1,Old,'))
    await put('in/a-new.csv', csv('N1,New,'))
    await put('in/a-moving.csv', csv('N1,Half'))
    const ago = (hours) => new Date(Date.now() - hours * 3_600_000)
    await utimes('in/a-old.csv', ago(50), ago(50))
    await utimes('in/a-new.csv', ago(1), ago(1))
    const timer = setInterval(() => writeFile('in/a-moving.csv', 'x'), 100)
    onTestFinished(() => clearInterval(timer))
    const args = ['push', 'medication', 'in/a-*.csv', '--newest', '--max-age', '26h', '--move-to', 'in/done']
    const written = await dcs(args)
    expect(written).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('a-moving.csv is being written'),
    })
    clearInterval(timer)
    expect(await readdir('in/done')).toEqual(['a-new.csv'])
    await rm('in/a-moving.csv')
    expect(await dcs(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('too old') })
  })

  it('finds a write whose answer was lost, and writes nothing twice', async () => {
    const file = await put('lost.csv', csv('L1,Lost,'))
    let isLost = false
    const url = await inFront((request, response) => {
      if (isLost || !isWrite(request)) return false
      isLost = true
      const passed = onward(request, (found) => {
        found.resume().on('end', () => response.destroy())
      })
      request.pipe(passed)
    })
    const before = await statusOf('medication')
    const pushed = await dcsJson(['push', 'medication', file, '--url', url])
    expect(pushed.results[0].written).toMatchObject({
      inserted: 1,
      lookedUp: true,
      revision: before.revision + 1,
    })
    expect((await statusOf('medication')).revision).toBe(before.revision + 1)
  })

  it('is done by the next run after it was killed, with one write', async () => {
    const file = await put('killed.csv', csv('K1,Killed,'))
    const before = await statusOf('medication')
    let child
    const url = await inFront((request) => {
      if (isWrite(request)) child?.kill('SIGKILL')
      return false
    })
    child = spawn(process.execPath, ['node_modules/dataset-catalog/dcs.js', 'push', 'medication', file], {
      cwd: started.folder,
      env: { ...started.environment, DCS_URL: url },
      stdio: 'ignore',
    })
    await once(child, 'close')
    expect(await dcs(['push', 'medication', file])).toMatchObject({ code: 0 })
    const after = await statusOf('medication')
    expect(after.active_records).toBe(before.active_records + 1)
    expect(after.revision).toBe(before.revision + 1)
  })

  it('shows a bar on a terminal while it sends a file, and lines elsewhere', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `B${i},${Math.sin(i)},`)
    const file = await put('bar.csv', csv(...rows))
    const args = ['push', 'medication', file, '--dry-run']
    const shown = await dcs(args, { isTerminal: true })
    expect(shown.stderr).toMatch(/\r\[#{30}\] 100 %\n/)
    const logged = await dcs(args)
    expect(logged.stderr).toBe('Reading bar.csv\n3000 rows without errors. Asking what would change.\n')
    expect(await dcs([...args, '--quiet'])).toMatchObject({ stderr: '', stdout: logged.stdout })
  })

  it('takes a path of Windows as it is', async () => {
    const file = await put('C:\\export\\new.csv', csv('P1,Aspirin,ASS'))
    expect(await dcs(['validate', 'medication', file])).toMatchObject({ code: 0 })
    expect(splitPattern('C:\\export\\form*.csv', path.win32)).toEqual({
      dir: 'C:\\export',
      base: 'form*.csv',
    })
    expect(splitPattern('\\\\server\\share\\a?.csv', path.win32)).toEqual({
      dir: '\\\\server\\share\\',
      base: 'a?.csv',
    })
  })
})
