/** The tails of Workers (`wrangler tail`): a WebSocket (RFC 6455) that gets a message for each request. */
import { createHash, randomUUID } from 'node:crypto'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A text of the server as one frame. */
function frameOf(text) {
  const payload = Buffer.from(text)
  const length = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255])
  return Buffer.concat([length, payload])
}

export class Tails {
  #sockets = new Set()

  /** Takes connections of a server. */
  constructor(server) {
    server.on('upgrade', ({ headers }, socket) => {
      const accept = createHash('sha1').update(`${headers['sec-websocket-key']}${GUID}`).digest('base64')
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          `Sec-WebSocket-Protocol: trace-v1\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      )
      this.#sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
      // The caller closes: its frame begins with 0x88.
      socket.on('data', (bytes) => bytes[0] === 0x88 && socket.end(Buffer.from([0x88, 0])))
    })
  }

  open = (origin) => ({ id: randomUUID(), url: origin.replace('http', 'ws'), expires_at: '2999-01-01T00:00:00Z' })

  tell(url, cpuTime) {
    const message = JSON.stringify({ cpuTime, wallTime: cpuTime * 2, outcome: 'ok', event: { request: { url } } })
    for (const socket of this.#sockets) socket.write(frameOf(message))
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
  }
}
