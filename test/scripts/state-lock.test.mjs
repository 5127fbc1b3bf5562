import { spawnSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockState } from '../../scripts/local/state-directory.mjs'
import { scratch } from './support.mjs'

const lockFile = (directory) => path.join(directory, 'service.lock')
const content = async (directory) => JSON.parse(await readFile(lockFile(directory), 'utf8'))

describe('the lock of a state directory', () => {
  it('belongs to one process, whose purpose the others learn, and is free after its release', async () => {
    const directory = await scratch()
    const release = await lockState(directory, 'the service on port 1')
    await expect(lockState(directory, 'a restore')).rejects.toThrow(
      `${directory} is in use by the service on port 1 (process ${process.pid})`,
    )
    await release()
    expect(await readdir(directory)).toEqual([])
    const again = await lockState(directory, 'a restore')
    // The first holder's release, called twice, does not release the lock of the next holder.
    await release()
    await expect(lockState(directory, 'a third')).rejects.toThrow('a restore')
    await again()
  })

  it('goes to exactly one of many that ask at the same time', async () => {
    const directory = await scratch()
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => lockState(directory, `number ${number}`)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readdir(directory)).toEqual(['service.lock'])
  })

  it.each([
    ['a process that has ended', () => ({ pid: spawnSync(process.execPath, ['-e', '']).pid, started: null })],
    ['an earlier process with the pid of a running one', () => ({ pid: process.pid, started: 'another boot/1' })],
  ])('is taken over from %s', async (_, holder) => {
    const directory = await scratch()
    await writeFile(lockFile(directory), JSON.stringify({ id: 'old', purpose: 'old', ...holder() }))
    const release = await lockState(directory, 'new')
    expect(await content(directory)).toMatchObject({ pid: process.pid, purpose: 'new' })
    await release()
  })

  it('is taken over when its file is damaged', async () => {
    const directory = await scratch()
    await writeFile(lockFile(directory), '{"pid":')
    await lockState(directory, 'new')
    expect(await content(directory)).toMatchObject({ purpose: 'new' })
  })
})
