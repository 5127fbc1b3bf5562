import { readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'
import { dcs, runProgram, withWorkspace } from './workspace.mjs'

withWorkspace()

/** A line after `$ ` is a command, and its output follows. `…` matches output that differs between runs. */
const COMMAND = /^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm

const asPattern = (text) => new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.+')}$`)

it('the terminal recording in the README matches the output of its commands', async () => {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const [, recording] = /^```console\n(.*?)^```$/ms.exec(readme)
  await symlink(path.join(root, 'samples'), 'samples')
  let last = 0
  for (const [, command, shown] of recording.matchAll(COMMAND)) {
    if (command.startsWith('npm install')) {
      expect(command).toContain('/client/latest.tgz')
      continue
    }
    const [program, ...args] = command.split(' ')
    const ended = program === 'dcs' ? await dcs(args) : await runProgram('sh', ['-c', `(exit ${last}); ${command}`])
    last = ended.code
    expect(ended.stderr + ended.stdout, command).toMatch(asPattern(shown))
  }
})
