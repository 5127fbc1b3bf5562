import { appendFile, lutimes, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { csv, dcs, inFront, isWrite, put, putAgo, said, warned, withWorkspace } from './workspace.mjs'

withWorkspace()

describe('the file of a nightly sync', () => {
  const push = (pattern, ...more) =>
    dcs(['push', 'medication', pattern, '--newest', '--max-age', '20h', '--dry-run', ...more])

  /** The files of yesterday and of today. */
  beforeEach(async () => {
    await rm('in', { recursive: true, force: true })
    await mkdir('in')
    await putAgo(24.75, 'in/a-1.csv', csv('N1,Old,'))
    await putAgo(1, 'in/a-2.csv', csv('N1,New,'))
  })

  it('requires a maximum age with --newest, and must not be older', async () => {
    await rm('in/a-2.csv')
    expect(await dcs(['push', 'medication', 'in/a-*.csv', '--newest'])).toMatchObject(warned(2, 'requires --max-age'))
    expect(await push('in/a-*.csv')).toMatchObject(
      warned(2, /a-1\.csv is too old .* modified at .*Z, and the time here is .*Z/),
    )
    await putAgo(1, 'in/a-2.csv', csv('N1,New,'))
    expect(await push('in/a-*.csv')).toMatchObject(warned(0, 'Reading in/a-2.csv'))
  })

  it('is the newest match, even if that file is still being written', async () => {
    await put('in/a-3.csv', csv('N1,Half'))
    const writer = setTimeout(() => appendFile('in/a-3.csv', ',\n'), 2500)
    expect(await push('in/a-*.csv')).toMatchObject(warned(2, /a-3\.csv is still being written/))
    clearTimeout(writer)
  })

  it('is checked again after it was read', async () => {
    await put('moving.csv', csv('N1,Half,'))
    let isDone = false
    const ended = dcs(['push', 'medication', 'moving.csv', '--dry-run']).finally(() => {
      isDone = true
    })
    while (!isDone) await appendFile('moving.csv', 'N2,More,\n')
    expect(await ended).toMatchObject(warned(2, 'moving.csv has changed since dcs read it. Nothing was sent'))
  })

  it('is complete only if its marker exists and is not older', async () => {
    const done = ['--done-file', 'in/*.done']
    expect(await push('in/a-*.csv', ...done)).toMatchObject(warned(2, 'in/a-2.done is missing'))
    await putAgo(2, 'in/a-2.done', '')
    expect(await push('in/a-*.csv', ...done)).toMatchObject(
      warned(2, /a-2\.csv is not finished: in\/a-2\.done is older/),
    )
    await put('in/a-2.done', '')
    expect(await push('in/a-*.csv', ...done)).toMatchObject({ code: 0 })
  })

  it('is never an older match if the newest one cannot be read', async () => {
    await mkdir('mixed')
    const sent = (...more) => push('mixed/*.csv', ...more)
    await symlink('nothing', 'mixed/link.csv')
    const at = new Date(Date.now() - 60_000)
    await lutimes('mixed/link.csv', at, at)
    await mkdir('mixed/folder.csv')
    await putAgo(-0.01, 'mixed/new.csv', csv('N1,New,'))
    expect(await sent()).toMatchObject(warned(0, 'Ignored: mixed/folder.csv is not a file.'))
    await putAgo(2, 'mixed/new.csv', csv('N1,New,'))
    expect(await sent('--quiet')).toMatchObject(warned(2, /folder\.csv is not a file.*sends no older file instead/))
    await rm('mixed/folder.csv', { recursive: true })
    expect(await sent('--quiet')).toMatchObject(warned(2, /link\.csv is missing.*sends no older file instead/))
    await rm('mixed/link.csv')
    // A name in Latin-1, which a JavaScript string cannot represent, so its time is unknown.
    await writeFile(Buffer.from('mixed/n\xe9w.csv', 'latin1'), '')
    expect(await sent('--quiet')).toMatchObject(warned(2, 'sends no older file instead'))
  })

  it('is ambiguous if two files have the same time, but not if a link points to the file next to it', async () => {
    await mkdir('same')
    const at = new Date(Date.now() - 60_000)
    for (const name of ['a', 'b']) {
      await put(`same/${name}.csv`, csv(`N1,${name},`))
      await utimes(`same/${name}.csv`, at, at)
    }
    expect(await push('same/*.csv')).toMatchObject(warned(2, /same\/a\.csv and same\/b\.csv have the same time/))
    await rm('same/b.csv')
    await symlink('a.csv', 'same/latest.csv')
    expect(await push('same/*.csv')).toMatchObject({ code: 0 })
  })

  it("is rejected if this machine's clock is wrong", async () => {
    await dcs(['push', 'medication', await put('clock.csv', csv('N1,New,'))])
    await putAgo(25, 'clock.csv', csv('N1,Yesterday,'))
    const timeless = await inFront((request, response) => {
      response.sendDate = false
      delete request.headers['accept-encoding']
      return 'bare'
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() - 6 * 3_600_000)
    expect(await push('clock.csv')).toMatchObject(warned(2, /clock of this machine differs.*here, and there 20/))
    expect(await push('clock.csv', '--url', timeless, '--timeout', '10s')).toMatchObject(
      warned(2, /clock of this machine differs.*the catalog was last written at 20/),
    )
  })

  it('may be truncated if its last line has no end, so a reconcile and standard input require an answer', async () => {
    const cut = 'medication_id,name,strength\nN1,New,20'
    const file = await put('cut.csv', cut)
    const reconcile = ['push', 'medication', file, '--reconcile', '--confirm-shrink', '--dry-run']
    const asked = await dcs(reconcile)
    expect(asked).toMatchObject(warned(3, /cut\.csv may be truncated.*--last-line keep\.\nIt ends with “N1,New,20”/))
    expect(await dcs([...reconcile, '--last-line', 'keep'])).toMatchObject({ code: 0 })
    const input = { input: cut }
    expect(await dcs(['push', 'medication', '-', '--dry-run'], input)).toMatchObject(warned(3, '--last-line keep'))
    expect(await dcs(['push', 'medication', file, '--dry-run', '--quiet'])).toMatchObject(warned(0, 'may be truncated'))
    const page = '<html><table><tr><th>medication_id<th>name<th>strength</tr><tr><td>N1<td>New<td>20'
    await put('cut.xls', page)
    const html = ['push', 'medication', 'cut.xls', '--reconcile', '--confirm-shrink', '--dry-run']
    expect(await dcs(html)).toMatchObject(warned(3, 'cut.xls may be truncated: its table is not closed'))
    await put('cut.xls', `${page}5 mg</tr></table>`)
    expect(await dcs(html)).toMatchObject({ code: 0 })
    await put('whole.csv', `${cut}\n`)
    expect(await dcs(['push', 'medication', 'whole.csv', '--dry-run', '--quiet'])).toMatchObject({
      code: 0,
      stderr: '',
    })
  })

  it.each([
    ['is replaced', 'sent/a.csv', /sent\/a\.csv has changed since dcs read it\. The catalog has the older state/],
    ['is overtaken by a newer one', 'sent/b.csv', /sent\/b\.csv is newer than sent\/a\.csv\. The catalog has the/],
  ])('exits with 8 if the file %s during the upload, because the older state was written', async (_, name, message) => {
    await rm('sent', { recursive: true, force: true })
    await mkdir('sent')
    await putAgo(1, 'sent/a.csv', csv('R1,Older,'))
    const url = await inFront(async (request) => {
      if (!isWrite(request)) return 'pass'
      await put('newer', csv('R1,Newer,'))
      await rename('newer', name)
      return 'pass'
    })
    const args = ['push', 'medication', 'sent/*.csv', '--newest', '--max-age', '20h']
    expect(await dcs([...args, '--url', url])).toMatchObject(said(8, message))
  })

  it('with a future time causes a warning, or is rejected if the time is far ahead', async () => {
    await putAgo(-2 / 60, 'in/a-ahead.csv', csv('N1,Ahead,'))
    expect(await push('in/a-*.csv')).toMatchObject(
      warned(0, /in\/a-ahead\.csv has the time of a different clock: .*Z, and .*Z/),
    )
    await putAgo(-3, 'in/a-ahead.csv', csv('N1,Ahead,'))
    expect(await push('in/a-*.csv')).toMatchObject(
      warned(2, /time is in the future: it was modified at .*Z, and the time here is/),
    )
  })

  it('is never overwritten by its own errors, and neither is a file without an error column', async () => {
    const wrong = await put('night.csv', csv('W1,A,', ',B,'))
    await symlink('night.csv', 'same.csv')
    for (const target of [wrong, './night.csv', 'same.csv']) {
      const options = ['push', 'medication', wrong, '--errors', target]
      expect(await dcs(options)).toMatchObject(warned(2, 'is the input file'))
    }
    await put('other.csv', csv('O1,Other,'))
    expect(await dcs(['push', 'medication', wrong, '--errors', 'other.csv'])).toMatchObject(
      warned(3, 'was not replaced'),
    )
    const right = await put('right.csv', csv('W1,A,'))
    expect(await dcs(['validate', 'medication', right, '--errors', 'other.csv'])).toMatchObject(
      warned(0, 'was not deleted'),
    )
    expect([await readFile(wrong, 'utf8'), await readFile('other.csv', 'utf8')]).toEqual([
      csv('W1,A,', ',B,'),
      csv('O1,Other,'),
    ])
    expect(await dcs(['validate', 'medication', wrong, '--errors', 'marked.xlsx'])).toMatchObject({ code: 3 })
    expect(await dcs(['validate', 'medication', right, '--errors', 'marked.xlsx'])).toMatchObject({ code: 0 })
    await expect(readFile('marked.xlsx')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
