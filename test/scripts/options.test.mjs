import { describe, expect, it } from 'vitest'
import { startOptions } from '../../scripts/local/options.mjs'

describe('the options of npm start', () => {
  it('default to port 8787 on this machine and the state that wrangler uses', () => {
    expect(startOptions([])).toEqual({
      port: 8787,
      host: '127.0.0.1',
      stateDirectory: '.wrangler/state',
      origin: 'http://localhost:8787',
      inspectorPort: undefined,
      verbose: false,
      watch: false,
      distance: 0,
      isLimited: true,
    })
  })

  it('may be switches, an address and a port for debuggers', () => {
    const args = ['--verbose', '--ip', '::1', '--watch', '--inspector-port', '9229']
    expect(startOptions(args)).toMatchObject({
      verbose: true,
      watch: true,
      host: '::1',
      inspectorPort: 9229,
    })
  })

  it.each([[['--local']], [['--verbos']], [['9000']], [['--port', '9000', 'extra']]])(
    'refuse %j, which holds an unknown argument',
    (args) => {
      expect(() => startOptions(args)).toThrow(/Unknown option|Unexpected argument/)
    },
  )

  it.each([[['--distance', '30', '--ip', '::1']], [['--ip', '::1', '--distance=30']]])(
    'put the databases as far away as %j says',
    (args) => {
      expect(startOptions(args)).toMatchObject({ distance: 30, host: '::1' })
    },
  )

  it.each([['--distance'], ['--distance=-1'], ['--distance=1001'], ['--distance=1e2'], ['--distance=']])(
    'refuse %s',
    (arg) => {
      expect(() => startOptions([arg])).toThrow(
        /--distance(?: takes a number from 0 to 1000| <value>' argument missing)/,
      )
    },
  )

  it.each([
    [['--port', '9000', '--persist-to', 'state']],
    [['--port=9000', '--persist-to=state']],
    [['--port', '8000', '--persist-to', 'other', '--port', '9000', '--persist-to=state']],
  ])('are read from %j, the last one winning', (args) => {
    expect(startOptions(args)).toMatchObject({
      port: 9000,
      stateDirectory: 'state',
      origin: 'http://localhost:9000',
    })
  })

  it.each([
    ['127.0.0.1', 'http://localhost:8787'],
    ['0.0.0.0', 'http://localhost:8787'],
    ['192.0.2.7', 'http://192.0.2.7:8787'],
    ['2001:db8::7', 'http://[2001:db8::7]:8787'],
  ])('reach a service bound to %s at %s', (ip, origin) => {
    expect(startOptions(['--ip', ip]).origin).toBe(origin)
  })

  it.each(['', '0', '65536', 'http', '-1', '1e3'])('refuse the port "%s"', (port) => {
    expect(() => startOptions(['--port', port])).toThrow(
      /--port(?: takes a number from 1 to 65535|' argument is ambiguous)/,
    )
  })

  it.each([[['--persist-to']], [['--persist-to', '--local']], [['--persist-to=']]])(
    'refuse %j, which names no directory',
    (args) => {
      expect(() => startOptions(args)).toThrow(
        /--persist-to(?: takes a directory| <value>' argument missing|' argument is ambiguous)/,
      )
    },
  )
})
