import { appendFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { csv, dcs, put, putAgo, warned, withWorkspace } from './workspace.mjs'

withWorkspace()

describe('the file of a night', () => {
  const push = (pattern, ...more) =>
    dcs(['push', 'medication', pattern, '--newest', '--max-age', '20h', '--dry-run', ...more])

  it('is of this night: the age that is allowed must be said, and yesterday’s file is too old', async () => {
    await mkdir('in')
    await putAgo(24.75, 'in/a-1.csv', csv('N1,Old,'))
    expect(await dcs(['push', 'medication', 'in/a-*.csv', '--newest'])).toMatchObject(warned(2, 'needs --max-age'))
    expect(await push('in/a-*.csv')).toMatchObject(
      warned(2, /a-1\.csv is too old .* written at .*Z, and here it is .*Z/),
    )
    await putAgo(1, 'in/a-2.csv', csv('N1,New,'))
    expect(await push('in/a-*.csv')).toMatchObject(warned(0, 'Reading in/a-2.csv'))
  })

  it('is the newest one: while that is being written, an older one does not stand in for it', async () => {
    await put('in/a-3.csv', csv('N1,Half'))
    const writer = setTimeout(() => appendFile('in/a-3.csv', ',\n'), 2500)
    expect(await push('in/a-*.csv')).toMatchObject(warned(2, /a-3\.csv is still being written/))
    clearTimeout(writer)
    await rm('in/a-3.csv')
  })

  it('is looked at again after it was read', async () => {
    await put('moving.csv', csv('N1,Half,'))
    let isDone = false
    const ended = dcs(['push', 'medication', 'moving.csv', '--dry-run']).finally(() => {
      isDone = true
    })
    while (!isDone) await appendFile('moving.csv', 'N2,More,\n')
    expect(await ended).toMatchObject(warned(2, 'it has changed while it was read. Nothing was sent'))
  })

  it('is whole when its marker is there, and not older than it', async () => {
    const done = ['--done-file', 'in/*.done']
    expect(await push('in/a-*.csv', ...done)).toMatchObject(warned(2, 'in/a-2.done is missing'))
    await putAgo(2, 'in/a-2.done', '')
    expect(await push('in/a-*.csv', ...done)).toMatchObject(
      warned(2, /a-2\.csv is not finished: in\/a-2\.done is older/),
    )
    await put('in/a-2.done', '')
    expect(await push('in/a-*.csv', ...done)).toMatchObject({ code: 0 })
  })

  it('is found beside a folder and a link to nothing that are named like it', async () => {
    await mkdir('in/a-folder.csv')
    await symlink('nothing', 'in/a-link.csv')
    // A name in Latin-1, which no text of JavaScript can hold.
    await writeFile(Buffer.from('in/a-n\xe9w.csv', 'latin1'), '')
    const { code, stderr } = await push('in/a-*.csv')
    expect(code).toBe(0)
    expect(stderr).toContain('Left out: in/a-folder.csv is not a file.')
    expect(stderr).toContain('Left out: The file in/a-link.csv is missing')
  })

  it('has an age: the times of two clocks that differ are told, and one that is far ahead is refused', async () => {
    await putAgo(-2 / 60, 'in/a-ahead.csv', csv('N1,Ahead,'))
    expect(await push('in/a-*.csv')).toMatchObject(warned(0, /clock of in\/a-ahead\.csv is another one: .*Z, and .*Z/))
    await putAgo(-3, 'in/a-ahead.csv', csv('N1,Ahead,'))
    expect(await push('in/a-*.csv')).toMatchObject(warned(2, /clocks differ: it was written at .*Z, and here it is/))
  })

  it('is never lost to its own errors, and neither is a file that has none', async () => {
    const wrong = await put('night.csv', csv('W1,A,', ',B,'))
    await symlink('night.csv', 'same.csv')
    for (const target of [wrong, './night.csv', 'same.csv']) {
      const options = ['push', 'medication', wrong, '--errors', target]
      expect(await dcs(options)).toMatchObject(warned(2, 'is the file that is read'))
    }
    await put('other.csv', csv('O1,Other,'))
    expect(await dcs(['push', 'medication', wrong, '--errors', 'other.csv'])).toMatchObject(
      warned(3, 'is not replaced'),
    )
    const right = await put('right.csv', csv('W1,A,'))
    expect(await dcs(['validate', 'medication', right, '--errors', 'other.csv'])).toMatchObject(
      warned(0, 'is not removed'),
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
