/**
 * Timed requests over keep-alive connections. Measurements use this instead of the package's client: it parses,
 * compresses and repeats nothing within the measured time.
 */
import http from 'node:http'

/** Number of parallel connections of a client. */
const CONNECTIONS = 8
/**
 * Body size, in bytes, from which a request has its own connection. The service may close an idle connection at the
 * moment of its reuse. That is likely while a large body is sent, and a write is not repeated.
 */
const LARGE_BYTES = 64 * 1024
/** Response timeout, in milliseconds: longer than the service's own deadline. */
const TIMEOUT_MS = 60_000

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} ms milliseconds from sending the request to the last byte of the response
 */

/** Sockets that already have an error listener. */
const watched = new WeakSet()

/**
 * Keeps a broken connection from ending the whole run. If the response arrives before the request is completely sent,
 * and the connection breaks then, Node reports the error (EPIPE, ECONNRESET) on a socket that no request listens to
 * anymore. The response is valid. A request without a response gets its own event.
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
      // The service may close an idle connection at the moment of its reuse. A failed read is therefore sent once more
      // over a new connection: after a pause, all idle ones may be closed.
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
      // Sent in one piece, so that Node sets Content-Length.
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
 * @throws {Error} with the message and the `status` of the response, if it is not the expected status
 */
export function expectStatus(answer, status, what) {
  if (answer.status === status) return answer
  const message = `${what}: ${answer.status} in place of ${status}: ${answer.body.subarray(0, 400)}`
  throw Object.assign(new Error(message), { status: answer.status })
}
