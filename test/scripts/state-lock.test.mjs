import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { lockState } from '../../scripts/local/state-directory.mjs'
import { scratch } from './support.mjs'

const LOCK = `
  const [, module, directory] = process.argv
  const { lockState } = await import(module)
  await lockState(directory, 'another service')
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
  it('belongs to one process, whose purpose the others learn, and is free after its release', async () => {
    const directory = await scratch()
    const release = await lockState(directory, 'the service on port 1')
    await expect(lockState(directory, 'a restore')).rejects.toThrow(
      `${directory} is in use by the service on port 1 (process ${process.pid})`,
    )
    release()
    const again = await lockState(directory, 'a restore')
    // The first holder's release, called twice, does not release the lock of the next holder.
    release()
    await expect(lockState(directory, 'a third')).rejects.toThrow('a restore')
    again()
  })

  it('goes to exactly one of many that ask at the same time', async () => {
    const directory = await scratch()
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => lockState(directory, `number ${number}`)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is free when the process that has it was killed', async () => {
    const directory = await scratch()
    const child = await lockElsewhere(directory)
    await expect(lockState(directory, 'a restore')).rejects.toThrow(
      `${directory} is in use by another service (process ${child.pid})`,
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
    const release = await lockState(directory, 'a restore')
    release()
  })
})
