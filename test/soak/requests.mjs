/** Requests of clients that may misbehave: they leave, stall and vanish. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { surviveErrors } from '../../bench/http-client.mjs'

/** The ways in which clients behave, and how many milliseconds they wait before. */
const PAUSES = {
  whole: [0, 0],
  leave: [0, 100],
  vanish: [0, 150],
  stall: [300, 4000],
  'stall for good': [11_000, 12_000],
}

/** With the weight of each. */
export const UPLOADS = { whole: 60, leave: 6, vanish: 10, stall: 5, 'stall for good': 1 }
const DOWNLOADS = { whole: 70, leave: 12, vanish: 8, stall: 5 }
export const DECISIONS = { whole: 9, vanish: 1 }

/** Longer than the service's own deadline, in milliseconds. */
const TIMEOUT_MS = 45_000

const agent = new http.Agent({ keepAlive: true })

/**
 * Sends a request. A client leaves or stalls in the middle of sending or reading. A client vanishes after it has sent
 * everything.
 *
 * @param {import('./random.mjs').Random} random
 * @param {string} address
 * @param {{ method?: string, headers?: Record<string, string>, body?: Buffer, manners?: Record<string, number> }}
 *   options
 * @returns {Promise<{ status: number, headers: object, text: string, isWhole: boolean, manner: string }>} status 0
 *   without a response: the outcome of the request is unknown
 */
export function send(random, address, { method = 'GET', headers = {}, body, manners = DOWNLOADS }) {
  const manner = random.weighted(manners)
  const pauseMs = random.between(...PAUSES[manner])
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'Content-Length': String(body.byteLength) }
    const request = http.request(address, {
      ...{ method, headers: { ...headers, ...length }, timeout: TIMEOUT_MS },
      // A misbehaving client has a separate connection, which is not reused.
      agent: manner === 'whole' ? agent : false,
    })
    const leave = (reason) => {
      resolve({ status: 0, headers: {}, text: reason, isWhole: false, manner })
      request.destroy()
    }
    request.once('socket', surviveErrors)
    request.once('timeout', () => leave('no answer in time'))
    request.on('error', ({ message }) => leave(message))
    request.once('response', async (response) => {
      const chunks = []
      const misbehaves = body === undefined
      try {
        for await (const chunk of response) {
          chunks.push(chunk)
          if (misbehaves && manner === 'leave') break
          if (misbehaves && manner === 'stall' && chunks.length === 1) await sleep(pauseMs)
        }
      } catch {
        // The connection broke, so the response is incomplete.
      }
      const { statusCode: status, headers, complete: isWhole } = response
      resolve({ status, headers, text: Buffer.concat(chunks).toString(), isWhole, manner })
    })
    const half = body === undefined || ['whole', 'vanish'].includes(manner) ? undefined : body.byteLength >> 1
    if (half === undefined) request.end(body)
    else request.write(body.subarray(0, half))
    if (manner === 'vanish') setTimeout(() => leave('the client vanished'), pauseMs)
    else if (half !== undefined)
      setTimeout(() => (manner === 'stall' ? request.end(body.subarray(half)) : leave('the client left')), pauseMs)
  })
}
