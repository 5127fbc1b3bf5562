/**
 * Requests over connections that stay open, and the time that they take. Measurements use this, not the client of the
 * package: it parses, packs and repeats nothing in the measured time.
 */
import http from 'node:http'

/** Connections of a client, which it uses at the same time. */
const CONNECTIONS = 8
/**
 * Bytes of a body from which a request has a connection of its own. The service may close an idle one at the moment
 * when it is used again, which is likely while a large body is sent, and a write is not sent twice.
 */
const LARGE_BYTES = 64 * 1024
/** How long an answer may take, in milliseconds: longer than the service itself allows. */
const TIMEOUT_MS = 60_000

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} ms from sending the request to the last byte of the answer, in milliseconds
 */

/** Sockets whose errors are listened to already. */
const watched = new WeakSet()

/**
 * Keeps a broken connection from ending the whole run. If an answer comes before its request is sent to the end, and
 * the connection breaks then, Node reports the error (EPIPE, ECONNRESET) on a socket that no request listens to any
 * more. The answer stands; a request that has none is told by its own event.
 */
export function surviveErrors(socket) {
  if (watched.has(socket)) return
  watched.add(socket)
  socket.on('error', () => undefined)
}

export class HttpClient {
  #agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  /** @param {string} origin */
  constructor(origin) {
    this.origin = origin
  }

  /**
   * @param {string} target path and query
   * @param {{ method?: string, headers?: Record<string, string>, body?: Buffer | string }} [init]
   * @returns {Promise<Answer>}
   */
  async send(target, init = {}) {
    try {
      return await this.#sendOnce(target, init, (init.body?.length ?? 0) < LARGE_BYTES ? this.#agent : false)
    } catch (error) {
      // The service may close an idle connection at the moment when it is used again, so a failed read is sent once
      // more, over a new one: after a pause all that are kept may be closed.
      if (error.code !== 'ECONNRESET' || (init.method ?? 'GET') !== 'GET') throw error
      return this.#sendOnce(target, init, false)
    }
  }

  /**
   * @param {string} target
   * @param {{ method?: string, headers?: Record<string, string>, body?: Buffer | string }} init
   * @param {import('node:http').Agent | false} agent
   * @returns {Promise<Answer>}
   */
  #sendOnce(target, { method = 'GET', headers = {}, body }, agent) {
    return new Promise((resolve, reject) => {
      const started = performance.now()
      const options = { method, headers, agent, timeout: TIMEOUT_MS }
      const request = http.request(this.origin + target, options)
      request.once('timeout', () => request.destroy(noAnswer(`${method} ${target}`)))
      request.once('socket', surviveErrors)
      request.on('error', reject)
      request.once('response', (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const ms = performance.now() - started
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks), ms })
        })
      })
      // Sent in one piece, so that Node declares its length.
      request.end(body)
    })
  }

  close() {
    this.#agent.destroy()
  }
}

const noAnswer = (what) =>
  Object.assign(new Error(`${what}: no answer within ${TIMEOUT_MS / 1000} seconds`), { code: 'ETIMEDOUT' })

/**
 * @template {Answer} A
 * @param {A} answer
 * @param {number} status
 * @param {string} what for the message
 * @returns {A}
 * @throws {Error} with the message and the `status` of the answer, when the status is not the expected one
 */
export function expectStatus(answer, status, what) {
  if (answer.status === status) return answer
  const message = `${what}: ${answer.status} in place of ${status}: ${answer.body.subarray(0, 400)}`
  throw Object.assign(new Error(message), { status: answer.status })
}
