import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json'
import { placeCommand } from '../../scripts/database/target.ts'
import { setupCommand } from '../../scripts/deploy/setup/options.mjs'
import { startCommand, startOptions } from '../../scripts/local/options.mjs'
import { command } from '../../scripts/script.mjs'

/** Scripts that users run with npm. */
const SCRIPTS = [
  ...new Set(
    Object.values(packageJson.scripts).flatMap((call) =>
      Array.from(call.matchAll(/\bnode (?:--import \S+ )?(\S+\.mjs)/g), ([, name]) => name),
    ),
  ),
]

/** Parses arguments. Messages and help are discarded. */
const parse = (command, args) =>
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined }).parse(args, { from: 'user' })

it('every script is a command with help', () => {
  expect(SCRIPTS).toContain('scripts/reseal.mjs')
  expect(SCRIPTS.filter((name) => !/\bawait runMain\(/.test(readFileSync(name, 'utf8')))).toEqual([])
})

it.each([
  ['--unknown', "unknown option '--unknown'"],
  ['more', 'too many arguments'],
  ['--help', 'outputHelp'],
])('a command without options rejects "%s"', (argument, message) => {
  expect(() => parse(command('docs', 'Writes.'), [argument])).toThrow(message)
})

it.each([
  [[], "missing required argument 'file'"],
  [['--local', '--remote', 'x.sql'], "option '--local' cannot be used with option '--remote'"],
  [['--persist-to=', 'x.sql'], 'It requires a directory'],
])('a restore with the arguments %j reports what is wrong', (args, message) => {
  expect(() => parse(placeCommand('restore', ''), args)).toThrow(message)
})

it.each([
  ['a location next to a jurisdiction', ['--location', 'apac', '--jurisdiction', 'eu'], 'cannot be used with option'],
  ['an unknown location', ['--location', 'mars'], 'Allowed choices are weur'],
  ['no id of a workspace', ['--workspace', 'north clinic'], '"north clinic" cannot be'],
  ['no email address', ['--admin', 'asha'], '"asha" is not an email address'],
])('npm run setup rejects %s', (_, args, message) => {
  expect(() => parse(setupCommand(), args)).toThrow(message)
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
  ])('are read from "%s", and the last value wins', (line, expected) => {
    const options = parse(startCommand(), line.split(' ').filter(Boolean)).opts()
    expect(startOptions(options)).toEqual({ ...DEFAULTS, ...expected })
  })

  it.each([
    ['--local', "unknown option '--local'"],
    ['9000', 'too many arguments'],
    ...['--port=', '--port=0', '--port 65536', '--port=1e3'].map((line) => [
      line,
      'It requires a number from 1 to 65535',
    ]),
    ...['--distance=1001', '--distance=1e2'].map((line) => [line, 'It requires a number from 0 to 1000']),
    ['--persist-to=', 'It requires a directory'],
  ])('reject "%s"', (line, message) => {
    expect(() => parse(startCommand(), line.split(' '))).toThrow(message)
  })
})
