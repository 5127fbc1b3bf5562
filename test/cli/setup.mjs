/**
 * Runs before the tests of `dcs`. Starts one service for all of them, as a user would, and installs the package that it
 * serves, as the guide says. `inject('cli')` gives tests access to both.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/wrangler.mjs'
import { withoutRegistry } from './programs.mjs'
import { startService } from './service.mjs'

/** The command of the guide, with a separate home directory. @returns the folder of the installed package */
async function installPackage(origin, scratch) {
  const guide = await readFile(path.join(root, 'docs', 'cli.md'), 'utf8')
  const command = /^npm install --global .*$/m.exec(guide)[0].replace('https://catalog.example', origin)
  const prefix = path.join(scratch, 'global')
  const home = path.join(scratch, 'home')
  await mkdir(home)
  const env = { ...withoutRegistry(home), npm_config_prefix: prefix }
  await promisify(execFile)('sh', ['-c', command], { env, cwd: scratch })
  return path.join(prefix, 'lib', 'node_modules', 'dataset-catalog')
}

/** @param {import('vitest/node').TestProject} project */
export default async function setup({ provide }) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'command-line-'))
  const service = await startService(path.join(scratch, 'state'))
  const stop = async () => {
    service.kill()
    await rm(scratch, { recursive: true, force: true })
  }
  try {
    const { origin, port, output } = service
    provide('cli', { origin, port, welcome: output(), packageFolder: await installPackage(origin, scratch) })
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
