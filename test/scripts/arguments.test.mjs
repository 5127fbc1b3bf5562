import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json'
import { startOptions } from '../../scripts/local/options.mjs'

/** Scripts that people call by npm. */
const SCRIPTS = [
  ...new Set(
    Object.values(packageJson.scripts).flatMap((command) =>
      Array.from(command.matchAll(/\bnode (?:--import \S+ )?scripts\/(\S+\.mjs)/g), ([, name]) => name),
    ),
  ),
]

/** `parseArgs` refuses what it does not know. Tests of the last three show that they are made with it. */
const STRICT = /no-arguments\.mjs'|\bparseArgs\(\{|\b(?:parseTarget|setupOptions|startOptions)\(/

it('every script refuses an unknown option', () => {
  expect(SCRIPTS).toContain('reseal.mjs')
  const scriptsWith = (isWrong) => SCRIPTS.filter((name) => isWrong(readFileSync(`scripts/${name}`, 'utf8')))
  expect(scriptsWith((text) => !STRICT.test(text) || text.includes('strict: false'))).toEqual([])
})

const DEFAULTS = {
  port: 8787,
  host: '127.0.0.1',
  stateDirectory: '.wrangler/state',
  origin: 'http://localhost:8787',
  inspectorPort: undefined,
  verbose: false,
  watch: false,
  distance: 0,
  isLimited: true,
}

describe('the options of npm start', () => {
  it.each([
    ['', {}],
    ['--verbose --watch --inspector-port 9229', { verbose: true, watch: true, inspectorPort: 9229 }],
    ['--ip ::1 --distance=30', { host: '::1', distance: 30 }],
    ['--ip 0.0.0.0', { host: '0.0.0.0' }],
    ['--ip 192.0.2.7', { host: '192.0.2.7', origin: 'http://192.0.2.7:8787' }],
    [
      '--port 8000 --persist-to other --port 9000 --persist-to=state',
      { port: 9000, stateDirectory: 'state', origin: 'http://localhost:9000' },
    ],
    ['--no-rate-limits', { isLimited: false }],
  ])('are read from "%s", the last one winning', (line, expected) => {
    expect(startOptions(line.split(' ').filter(Boolean))).toEqual({ ...DEFAULTS, ...expected })
  })

  it.each([
    ['--local', 'Unknown option'],
    ['9000', 'Unexpected argument'],
    ...['--port=', '--port=0', '--port 65536', '--port=1e3'].map((line) => [
      line,
      '--port requires a number from 1 to',
    ]),
    ...['--distance=1001', '--distance=1e2'].map((line) => [line, '--distance requires a number from 0 to 1000']),
    ['--persist-to=', '--persist-to requires a directory'],
  ])('refuse "%s"', (line, message) => {
    expect(() => startOptions(line.split(' '))).toThrow(message)
  })
})
