import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory, which is deleted after the test. */
export async function scratch() {
  const directory = await mkdtemp(path.join(tmpdir(), 'scripts-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
