import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { lockState } from '../../scripts/local/state-directory.mjs'
import { scratch } from './support.mjs'

const LOCK = `
  const [, module, directory] = process.argv
  const { lockState } = await import(module)
  lockState(directory, 'another service')
  process.stdout.write('locked')
  setInterval(() => {}, 1000)
`

/** Another process that locks a directory. */
async function lockElsewhere(directory) {
  const module = new URL('../../scripts/local/state-directory.mjs', import.meta.url).href
  const args = ['--no-warnings', '--input-type=module', '--eval', LOCK, module, directory]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

describe('the lock of a state directory', () => {
  it('belongs to one process at a time', async () => {
    const directory = await scratch()
    const release = lockState(directory, 'the service on port 1')
    expect(() => lockState(directory, 'a restore')).toThrow(
      `${directory} is in use by the service on port 1 (process ${process.pid})`,
    )
    release()
    const again = lockState(directory, 'a restore')
    expect(() => lockState(directory, 'a third')).toThrow('a restore')
    again()
  })

  it('is free after the process that holds it was killed', async () => {
    const directory = await scratch()
    const child = await lockElsewhere(directory)
    expect(() => lockState(directory, 'a restore')).toThrow(
      `${directory} is in use by another service (process ${child.pid})`,
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockState(directory, 'a restore')()
  })
})
