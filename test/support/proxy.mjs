/**
 * Servers for tests, and a proxy in front of the service that delays requests, loses responses and cuts connections.
 */
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * Starts a server on a port that the system chooses.
 *
 * @param {(request: Request, response: Response) => void} answer
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
export async function serve(answer) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${address.port}`, close }
}

/**
 * The handling of a request: `pass` it on, or pass it on `twice` at the same time. `lose` the service's response, `cut`
 * it in the middle, or remove its headers (`bare`). Or `none`, because `handle` has responded, has cut the connection,
 * or lets the request hang.
 *
 * @typedef {'pass' | 'twice' | 'lose' | 'cut' | 'bare' | 'none'} Fate
 */

/**
 * Starts a proxy.
 *
 * @param {string} service its origin
 * @param {(request: Request & { body: Buffer }, response: Response) => Fate | Promise<Fate>} handle
 */
export const startProxy = (service, handle) =>
  serve(async (request, response) => {
    const { method, url } = request
    const body = await buffer(request)
    const fate = await handle(Object.assign(request, { body }), response)
    if (fate === 'none') return
    const { host: _, ...headers } = request.headers
    // On a separate connection: the service may close an idle one at the moment of its reuse.
    /** @param {(answer: Request) => void} take */
    const send = (take) => {
      const passed = httpRequest(`${service}${url}`, { method, headers, agent: false }, take)
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      passed.end(body)
    }
    if (fate === 'twice') send((answer) => answer.resume())
    send(async (answer) => {
      const status = answer.statusCode ?? 0
      if (fate === 'lose') answer.resume().on('end', () => response.destroy())
      else if (fate === 'cut') {
        const content = await buffer(answer)
        response.writeHead(status, { ...answer.headers, 'content-length': content.length })
        response.write(content.subarray(0, content.length / 2), () => response.destroy())
      } else answer.pipe(response.writeHead(status, fate === 'bare' ? {} : answer.headers))
    })
  })
