import { createWriteStream, existsSync } from 'node:fs'
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { dcs, dcsLines, inFront, put, runProgram, said, statusOf, warned, withWorkspace } from './workspace.mjs'

withWorkspace()

describe('dcs pull and changes', () => {
  it('writes the catalog as CSV, as a workbook and as JSON lines', async () => {
    const { active_records } = await statusOf('symptom')
    const rows = await dcs(['pull', 'symptom'])
    expect(rows.stdout.trim().split(/\r?\n/)).toHaveLength(active_records + 1)
    expect(await dcsLines(['pull', 'symptom', '--format', 'ndjson'])).toHaveLength(active_records)
    expect(await dcs(['pull', 'symptom', '--format', 'xlsx'])).toMatchObject(said(0, /^PK/))
  })

  it('writes a file completely or not at all, and no response that does not come from the service', async () => {
    const output = ['--output', 'pulled.csv']
    await put('pulled.csv', 'yesterday')
    const broken = await inFront((request, response) => {
      if (!request.url.includes('format=csv')) return 'pass'
      response.writeHead(200, { 'Content-Type': 'text/csv', 'X-Request-Id': 'r' }).write('symptom_id,name\nS1,')
      setTimeout(() => response.destroy(), 50)
      return 'none'
    })
    const portal = await inFront((request, response) => {
      if (!request.url.includes('format=csv')) return 'pass'
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Log in to this network')
      return 'none'
    })
    for (const url of [broken, portal]) {
      const ended = await dcs(['pull', 'symptom', ...output, '--url', url])
      expect(ended).toMatchObject({ code: 6, stdout: '' })
      expect(ended.stderr).not.toContain('bug in dcs')
      expect(await readFile('pulled.csv', 'utf8')).toBe('yesterday')
    }
    expect(await dcs(['pull', 'symptom', '--url', portal])).toMatchObject({ code: 6, stdout: '' })
    expect(await dcs(['pull', 'symptom', ...output])).toMatchObject({ code: 0, stdout: '' })
    expect(await readFile('pulled.csv', 'utf8')).toBe((await dcs(['pull', 'symptom'])).stdout)
    expect((await readdir('.')).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('ends silently if its reader closes the pipe', async () => {
    const { code, stdout, stderr } = await runProgram('sh', [
      '-c',
      'node_modules/.bin/dcs pull medication --format ndjson | head -n 1; exit "$?"',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveProperty('medication_id')
  })

  it('continues a mirror from its state, which is saved last', async () => {
    const args = ['changes', 'symptom', '--state', 'symptom.json', '--quiet']
    const first = await dcsLines(args)
    expect(first[0]).toEqual({ change: 'cleared' })
    const { total_records } = await statusOf('symptom')
    expect(first).toHaveLength(total_records + 1)
    expect((await dcs(args)).stdout).toBe('')
    const file = await put('symptom.csv', 'symptom_id,name\nMIRROR,Mirrored\n')
    await dcs(['push', 'symptom', file])
    expect(await dcsLines(args)).toMatchObject([{ change: 'inserted', record: { symptom_id: 'MIRROR' } }])
    await writeFile('symptom.json', JSON.stringify({ revision: 1, epoch: '0-0-0-0' }))
    expect((await dcs(args)).stdout).toMatch(/^\{"change":"cleared"\}\n/)
  })

  // Other systems have no such device.
  it.runIf(existsSync('/dev/full'))(
    'reports a full disk, and saves no state for lines that were not written',
    async () => {
      const shell = (command) => runProgram('sh', ['-c', command])
      const full = () => ({ stdout: createWriteStream('/dev/full').on('error', () => undefined) })
      const pulled = await shell('node_modules/.bin/dcs pull medication > /dev/full')
      expect(pulled).toMatchObject(warned(2, 'no space left'))
      const changed = await dcs(['changes', 'medication', '--state', 'full.json'], full())
      expect(changed).toMatchObject(warned(2, 'no space left'))
      await expect(readFile('full.json')).rejects.toMatchObject({ code: 'ENOENT' })
      // Written lines stay, whatever happens to the reader.
      const file = await put('unread.csv', 'symptom_id,name\nUNREAD,Unread\n')
      expect(await dcs(['push', 'symptom', file], full())).toMatchObject(warned(0, 'Cannot write the result'))
      expect(await shell(`node_modules/.bin/dcs push symptom ${file} 2> /dev/full`)).toMatchObject({ code: 0 })
    },
  )

  it.runIf(existsSync('/dev/fd/1'))('removes the incomplete last line of its own earlier run', async () => {
    const run = () => runProgram('sh', ['-c', 'node_modules/.bin/dcs changes symptom --state half.json >> half.ndjson'])
    expect(await run()).toMatchObject({ code: 0 })
    const whole = await readFile('half.ndjson', 'utf8')
    await appendFile('half.ndjson', '{"revision":9,"chan')
    expect(await run()).toMatchObject(warned(0, 'The last line was incomplete, so dcs removed it.'))
    expect(await readFile('half.ndjson', 'utf8')).toBe(whole)
  })

  it.runIf(existsSync('/dev/fd/1')).each([
    ['before its first run', '# a comment of somebody else', false],
    ['after its own lines', '{"of": "another program"', true],
  ])('leaves lines of other programs unchanged: %s', async (_, line, isLater) => {
    await rm('other.json', { force: true })
    await writeFile('other.ndjson', isLater ? '' : line)
    const run = () =>
      runProgram('sh', ['-c', 'node_modules/.bin/dcs changes symptom --state other.json >> other.ndjson'])
    expect(await run()).toMatchObject({ code: 0 })
    if (isLater) await appendFile('other.ndjson', line)
    expect(await run()).toMatchObject({ code: 0 })
    expect(await readFile('other.ndjson', 'utf8')).toContain(line)
  })

  it('rejects an empty state file, and says what to do', async () => {
    await writeFile('empty.json', '')
    expect(await dcs(['changes', 'symptom', '--state', 'empty.json'])).toMatchObject(
      warned(2, 'Delete it to make the copy again'),
    )
  })
})
