import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { HttpClient } from '../../bench/http-client.mjs'

const ANSWER = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno'

/** Answers at the first bytes of a request, reads no more of it, and breaks the connection. */
async function hastyServer() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.pause()
      socket.write(ANSWER)
      setImmediate(() => socket.resetAndDestroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.address().port}`
}

it('a connection that breaks after an early answer leaves the answer, and ends nothing', async () => {
  const origin = await hastyServer()
  const body = Buffer.alloc(10_000_000)
  const statuses = []
  // Not every broken connection is noticed at the bad moment.
  for (let round = 0; round < 30; round++) {
    const client = new HttpClient(origin)
    const answers = await Promise.allSettled([1, 2].map(() => client.send('/', { method: 'POST', body })))
    statuses.push(...answers.map(({ value, reason }) => value?.status ?? reason.code))
    client.close()
  }
  await sleep(100)
  expect(statuses).toContain(400)
})
