import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageJson from '../../package.json'
import { runScript } from './support.mjs'

/** Scripts that people call, by npm or by themselves. */
const SCRIPTS = [
  ...readdirSync('scripts').filter((name) => name.endsWith('.mjs')),
  ...['deploy/check.mjs', 'deploy/deploy.mjs', 'deploy/setup.mjs', 'migrations/check.mjs'],
].filter((name) => Object.values(packageJson.scripts).some((command) => command.includes(`scripts/${name}`)))

it.each(SCRIPTS)('%s refuses an option that it does not know, and does nothing', async (script) => {
  const run = runScript(script, ['--no-such-option'])
  expect(await run.ended).not.toBe(0)
  expect(run.output()).toMatch(/^Unknown option '--no-such-option'/)
})
