/** Whether an isolate outlives requests that are made to exhaust it; see `attacks.mjs`. */
import { attacks, newEncryptionKey, storeLargeRecords, storeLongFileNames } from './attacks.mjs'
import { IsolateHost } from './isolate.mjs'
import { CONNECTION_FAULTS } from './memory.mjs'
import { Operator } from './workspace.mjs'

/** The heap at which every request of `attacks.mjs` must be answered, in megabytes: 128 less what bodies and code take. */
const ATTACKED_HEAP = 100

/**
 * Sends a request to an isolate of its own, once or twice at the same time, and asks it something harmless afterwards.
 *
 * @returns {Promise<import('./table.mjs').Row>}
 */
async function attackRow(host, { name, request }, count, [attacker, other]) {
  const { target, init } = request(attacker)
  const started = performance.now()
  let outcome
  try {
    outcome = await host.withIsolate(ATTACKED_HEAP, async (client) => {
      const answers = await Promise.all(Array.from({ length: count }, () => client.send(target, init)))
      const after = await client.send('/admin/datasets/v1/?type=symptom', { headers: other.headers })
      return [...answers, after].map(({ status }) => status)
    })
  } catch (error) {
    if (!CONNECTION_FAULTS.includes(error.code)) throw error
    outcome = [error.code]
  }
  return {
    work: `${name}, ${count === 1 ? 'one request' : 'two at once'}`,
    samples: [performance.now() - started],
    compared: outcome.join(' '),
    bar: `answered at ${ATTACKED_HEAP} MB`,
    met: outcome.every((status) => status < 500),
  }
}

async function attackRows(host, workspaces, { say, attack: only }) {
  const stored = await host.withIsolate(undefined, async (client) => {
    const batchId = await storeLargeRecords(workspaces[0], client)
    await storeLongFileNames(workspaces[0], client)
    return { batchId, key: await newEncryptionKey(workspaces[0], client, host.operatorToken) }
  })
  const rows = []
  for await (const attack of attacks(stored)) {
    if (only !== undefined && !only.some((part) => attack.name.includes(part))) continue
    for (const count of [1, 2]) {
      say(`memory, ${attack.name}, ${count}`)
      rows.push(await attackRow(host, attack, count, workspaces))
    }
  }
  return rows
}

/**
 * One row for each request that is made to exhaust an isolate, alone and two at once.
 *
 * @param {{ attack?: string[], say: (text: string) => void }} options attack: parts of the names of those that are sent; left out: all
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureAttacks(_medications, options) {
  const host = await IsolateHost.prepare()
  try {
    const workspaces = await host.withIsolate(undefined, async (client) => {
      const operator = new Operator(client, host.operatorToken)
      return [await operator.newWorkspace(), await operator.newWorkspace()]
    })
    return { rows: await attackRows(host, workspaces, options), notes: [] }
  } finally {
    host.close()
  }
}
