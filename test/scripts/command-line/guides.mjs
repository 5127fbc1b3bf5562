import { mkdir, readdir, readFile, utimes } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/wrangler.mjs'
import { dcs, put, runProgram, started } from './started.mjs'

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
    SERVICE: started.origin,
    CLIENT_ID: started.environment.DCS_CLIENT_ID,
    CLIENT_SECRET: started.environment.DCS_CLIENT_SECRET,
    API_KEY: started.environment.DCS_API_KEY,
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
    await put('settings', (await readFile('settings', 'utf8')).replace(/API_KEY=.*/, "API_KEY='x'"))
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
    await mkdir('done')
    await put('formulary-1.csv', await readFile('whole.csv'))
    const old = new Date(Date.now() - 60_000)
    await utimes('formulary-1.csv', old, old)
    expect(await runProgram('sh', ['-c', job])).toMatchObject({ code: 0 })
    expect(await readdir('done')).toEqual(['formulary-1.csv'])
  })
})
