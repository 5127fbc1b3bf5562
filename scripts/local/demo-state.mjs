import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readJson, writeJson } from '../secrets.mjs'
import { createDemo, hasDemo, loadSamples } from './demo.mjs'

/**
 * Prepares the demo workspace: makes it the first time, finishes it when an earlier start was interrupted, and makes
 * new credentials when the old ones were lost, because the service has only hashes of them. The credentials are kept
 * beside their state, in `demo-credentials.json`.
 *
 * @param {{ fetch: typeof fetch, origin: string, operatorToken: string }} service
 * @param {{ stateDirectory: string, samplesDirectory: string }} directories
 * @returns {Promise<{ credentials: import('../platform.mjs').Credentials, loaded: Record<string, number> }>} the
 *   credentials, and how many records of each type were loaded just now
 */
export async function prepareDemo(service, { stateDirectory, samplesDirectory }) {
  const file = path.join(stateDirectory, 'demo-credentials.json')
  const kept = await readJson(file)
  const demo = kept && (await hasDemo(service)) ? kept : { ...(await createDemo(service)), samples_loaded: false }
  const { samples_loaded, ...credentials } = demo
  if (samples_loaded) return { credentials, loaded: {} }
  await writeJson(file, demo)
  const loaded = await loadSamples(service, credentials, (name) => readFile(path.join(samplesDirectory, name)))
  await writeJson(file, { ...credentials, samples_loaded: true })
  return { credentials, loaded }
}
