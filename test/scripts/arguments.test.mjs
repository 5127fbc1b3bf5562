import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import packageJson from '../../package.json'
import { runScript } from './support.mjs'

/** Scripts that people call by npm. */
const SCRIPTS = [
  ...new Set(
    Object.values(packageJson.scripts).flatMap((command) =>
      Array.from(command.matchAll(/\bnode scripts\/(\S+\.mjs)/g), ([, name]) => name),
    ),
  ),
]

/** `parseArgs` refuses what it does not know. Tests of the last three show that they are made with it. */
const STRICT = /no-arguments\.mjs'|\bparseArgs\(\{|\b(?:parseTarget|setupOptions|startOptions)\(/

it('every script reads its arguments by what refuses an unknown option', () => {
  expect(SCRIPTS).toContain('reseal.mjs')
  const textOf = (name) => readFileSync(`scripts/${name}`, 'utf8')
  expect(SCRIPTS.filter((name) => !STRICT.test(textOf(name)))).toEqual([])
  expect(SCRIPTS.filter((name) => /strict: false/.test(textOf(name)))).toEqual([])
})

it.each(['new-signing-key.mjs', 'reseal.mjs'])(
  '%s refuses an option that it does not know, and does nothing',
  async (script) => {
    const run = runScript(script, ['--no-such-option'])
    expect(await run.ended).not.toBe(0)
    expect(run.output()).toMatch(/^Unknown option '--no-such-option'/)
  },
)
