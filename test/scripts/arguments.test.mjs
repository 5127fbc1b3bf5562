import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageJson from '../../package.json'
import { runScript } from './support.mjs'

/** Scripts that people call by npm. */
const SCRIPTS = [
  ...readdirSync('scripts').filter((name) => name.endsWith('.mjs')),
  ...['deploy/check.mjs', 'deploy/deploy.mjs', 'deploy/setup.mjs', 'migrations/check.mjs'],
].filter((name) => Object.values(packageJson.scripts).some((command) => command.includes(`scripts/${name}`)))

/** Those that take no argument have this in common; one of them stands for all. */
const refusesAll = (name) =>
  /^ *(?:import|await import\().*no-arguments\.mjs'/m.test(readFileSync(`scripts/${name}`, 'utf8'))
const [oneOfThem] = SCRIPTS.filter(refusesAll)

it.each([oneOfThem, ...SCRIPTS.filter((name) => !refusesAll(name))])(
  '%s refuses an option that it does not know, and does nothing',
  async (script) => {
    const run = runScript(script, ['--no-such-option'])
    expect(await run.ended).not.toBe(0)
    expect(run.output()).toMatch(/^Unknown option '--no-such-option'/)
  },
)
