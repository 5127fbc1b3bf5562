import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attacks, newEncryptionKey, storeLargeRecords, storeLongFileNames } from '../../bench/attacks.mjs'
import { IsolateHost } from '../../bench/isolate.mjs'
import { CONNECTION_FAULTS } from '../../bench/memory.mjs'
import { Operator } from '../../bench/workspace.mjs'

/** Megabytes of heap: the 128 of an isolate, less what bodies and code take. */
const HEAP = 100

describe('an isolate', () => {
  let host
  let attacker
  let other
  let stored

  beforeAll(async () => {
    host = await IsolateHost.prepare()
    await host.withIsolate(undefined, async (client) => {
      const operator = new Operator(client, host.operatorToken)
      attacker = await operator.newWorkspace()
      other = await operator.newWorkspace()
      const batchId = await storeLargeRecords(attacker, client)
      await storeLongFileNames(attacker, client)
      stored = { batchId, key: await newEncryptionKey(attacker, client, host.operatorToken) }
    })
  })

  afterAll(() => host?.close())

  /** The statuses of so many requests at once, and of a harmless one of another workspace after them. */
  async function answersTo({ target, init }, count) {
    try {
      return await host.withIsolate(HEAP, async (client) => {
        const answers = await Promise.all(Array.from({ length: count }, () => client.send(target, init)))
        const headers = { headers: other.headers }
        const after = await client.send('/admin/datasets/v1/?type=symptom', headers)
        return [...answers, after].map(({ status }) => status)
      })
    } catch (error) {
      if (!CONNECTION_FAULTS.includes(error.code)) throw error
      return [error.code]
    }
  }

  it.each([
    ['one request', 1],
    ['two requests at once', 2],
  ])('outlives %s of each kind that is made to exhaust it', async (_, count) => {
    let sent = 0
    const failed = {}
    for await (const { name, request } of attacks(stored)) {
      sent++
      const statuses = await answersTo(request(attacker), count)
      if (!statuses.every((status) => status < 500) || statuses.at(-1) !== 200) failed[name] = statuses
    }
    expect(failed).toEqual({})
    expect(sent).toBeGreaterThan(20)
  })
})
