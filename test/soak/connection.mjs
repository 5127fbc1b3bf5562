/** Requests of clients that do not always behave: they leave, stall and vanish. */
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { surviveErrors } from '../../bench/http-client.mjs'

/** How clients behave, with the weight of each manner. */
export const UPLOADS = [
  [60, 'whole'],
  [6, 'abort-upload'],
  [10, 'vanish'],
  [5, 'stall-upload'],
  [1, 'stall-for-good'],
]
export const DOWNLOADS = [
  [70, 'whole'],
  [12, 'abort-download'],
  [8, 'vanish'],
  [5, 'stall-download'],
]
export const DECISIONS = [
  [9, 'whole'],
  [1, 'vanish'],
]
/** Milliseconds, from and to. */
export const PAUSES = {
  vanish: [0, 150],
  'abort-upload': [0, 100],
  'stall-upload': [300, 2500],
  'stall-for-good': [11_000, 12_000],
  'stall-download': [500, 4000],
}

/** Longer than the service allows itself, in milliseconds. */
const TIMEOUT_MS = 45_000

/**
 * @typedef {object} Answer
 * @property {number} status 0 if none came: what became of the request is not known
 * @property {Record<string, string>} headers
 * @property {string} text
 * @property {boolean} whole whether the answer was read to its end
 *
 * @typedef {'whole' | 'abort-upload' | 'vanish' | 'stall-upload' | 'stall-for-good' | 'abort-download' | 'stall-download'} Manner
 */

const nothing = (reason) => ({ status: 0, headers: {}, text: reason, whole: false })

/** One client with its connection. */
export class Connection {
  #agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  #origin

  constructor(origin) {
    this.#origin = origin
  }

  /**
   * @param {string} target
   * @param {{ method?: string, headers?: object, body?: Buffer, manner?: Manner, pauseMs?: number }} init
   * @returns {Promise<Answer>}
   */
  send(target, { method = 'GET', headers = {}, body, manner = 'whole', pauseMs = 0 } = {}) {
    return new Promise((resolve) => {
      const usual = manner === 'whole'
      const length = body === undefined ? {} : { 'Content-Length': String(body.byteLength) }
      const request = http.request(this.#origin + target, {
        method,
        headers: { ...headers, ...length },
        // One that misbehaves has a connection of its own, which nobody uses after it.
        agent: usual ? this.#agent : false,
        timeout: TIMEOUT_MS,
      })
      const leave = (reason) => {
        resolve(nothing(reason))
        request.destroy()
      }
      request.once('socket', surviveErrors)
      request.once('timeout', () => leave('no answer in time'))
      request.on('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(nothing(error.code ?? error.message)))
      request.once('response', (response) => readAnswer(response, manner, pauseMs, resolve))
      upload(request, body, manner, pauseMs, leave).catch((error) => leave(error.message))
    })
  }

  close() {
    this.#agent.destroy()
  }
}

async function upload(request, body, manner, pauseMs, leave) {
  if (body === undefined || !['abort-upload', 'stall-upload', 'stall-for-good', 'vanish'].includes(manner)) {
    request.end(body)
    return
  }
  if (manner === 'vanish') {
    request.end(body)
    await sleep(pauseMs)
    leave('the client vanished')
    return
  }
  const half = body.byteLength >> 1
  request.write(body.subarray(0, half))
  await sleep(pauseMs)
  if (manner === 'stall-upload') request.end(body.subarray(half))
  else leave('the client left during its upload')
}

function readAnswer(response, manner, pauseMs, resolve) {
  const { statusCode: status, headers } = response
  const chunks = []
  const done = (whole) => resolve({ status, headers, text: Buffer.concat(chunks).toString(), whole })
  response.on('data', (chunk) => {
    chunks.push(chunk)
    if (chunks.length > 1) return
    if (manner === 'abort-download') {
      done(false)
      response.destroy()
    }
    if (manner === 'stall-download') {
      response.pause()
      setTimeout(() => response.resume(), pauseMs)
    }
  })
  response.once('end', () => done(response.complete))
  response.once('error', () => done(false))
  response.once('close', () => done(response.complete))
}
