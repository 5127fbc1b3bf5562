import { statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrationsUpTo } from '../../scripts/database/release.mjs'
import { Project } from './platform/project.mjs'
import { Platform } from './platform/stand-in.mjs'

const PRODUCTION = [
  '--issuer',
  'https://catalog.clinic.example',
  '--location',
  'apac',
  '--admin',
  'asha@clinic.example',
  '--yes',
]

/** @type {Platform} */
let platform
/** @type {Project} */
let project
beforeAll(async () => {
  platform = await Platform.start()
  project = await Project.make(platform)
})
afterAll(async () => {
  await platform.close()
  await project.remove()
})

/** What was being done when the machine stopped, and how it stopped: killed, or by Ctrl-C. */
const INTERRUPTIONS = [
  [/^POST \S+\/d1\/database .*dataset-catalog"/, 'SIGKILL'],
  [/^POST \S+\/d1\/database .*dataset-catalog-2"/, 'SIGINT'],
  [/^POST \S+\/kv\/namespaces /, 'SIGKILL'],
  [/^POST \S+\/r2\/buckets /, 'SIGINT'],
  [/^POST \S+1111\/query [^]*'0030_/, 'SIGKILL'],
  [/^POST \S+2222\/query [^]*'0072_/, 'SIGINT'],
  [/^PUT \S+\/scripts\/dataset-catalog-service /, 'SIGKILL'],
  [/^PUT \S+\/domains\/records /, 'SIGINT'],
  [/^POST \S+\/platform\/v1\/workspaces /, 'SIGKILL'],
  [/^POST \S+\/members /, 'SIGINT'],
  [/^POST \S+\/clients /, 'SIGKILL'],
  [/^POST \S+\/api-keys /, 'SIGINT'],
]

async function interruptedAt(pattern, signal) {
  const run = project.start('setup.mjs', PRODUCTION)
  let reached = false
  platform.interrupt(pattern, () => {
    reached = true
    run.kill(signal)
  })
  await run.ended
  expect(reached, `${pattern}\n${run.output()}`).toBe(true)
  return run.output()
}

describe('npm run setup', () => {
  it('goes on wherever it was interrupted, and makes everything once', async () => {
    const outputs = []
    for (const [pattern, signal] of INTERRUPTIONS) {
      const t = performance.now()
      outputs.push(await interruptedAt(pattern, signal))
      console.log(String(pattern), Math.round(performance.now() - t))
    }
    const { code, output } = await project.run('setup.mjs', PRODUCTION)
    expect(code, output).toBe(0)
    console.log(output)
    console.log(platform.changes.filter((c) => !c.includes('/query')).join('\n'))
    console.log(await project.read('.setup/production/secrets.env'))
  })
})
