/** The deployed state, queried from the platform. Changes nothing. */
import { MISSING, readAccount } from '../cloudflare/account.mjs'
import { readConfiguration } from '../configuration.mjs'

/** @typedef {{ id: string, bindings: Record<string, any>[] }} Deployed a version of the Worker */

/**
 * The version that receives most of the requests.
 *
 * @param {string} [environment] production by default
 * @returns {Promise<Deployed | null>} null before the first deployment
 */
export async function deployedVersion(environment) {
  const worker = `/workers/scripts/${readConfiguration(environment).name}`
  const deployed = await readAccount(`${worker}/deployments`, { missing: MISSING.worker })
  const [latest] = deployed?.deployments ?? []
  if (latest === undefined) return null
  const [{ version_id: id }] = latest.versions.toSorted((one, other) => other.percentage - one.percentage)
  const { resources } = await readAccount(`${worker}/versions/${id}`)
  return { id, bindings: resources.bindings }
}

/** The names of the secrets of a version. @param {Deployed | null} deployed */
export const secretsOf = (deployed) =>
  new Set((deployed?.bindings ?? []).filter(({ type }) => type === 'secret_text').map(({ name }) => name))
