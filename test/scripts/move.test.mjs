import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { freePort } from '../support/npm-start.mjs'
import { demoClient, runScript, scratch, startLocal } from './support.mjs'

/** How long a call of the command may take before it is killed, in milliseconds: also before it begins. */
const LIVES_MS = [1200, 1800, 2500]

it('a workspace is whole whenever its move is killed, is read meanwhile, and takes writes when the move has ended', async () => {
  const port = String(await freePort())
  const service = await startLocal(['--port', port, '--persist-to', await scratch()])
  const client = demoClient(service)
  const list = () => client.get('/admin/datasets/v1/', { query: { type: 'medication', limit: 1000 } })
  const { items, total } = await list()
  expect(total).toBeGreaterThan(100)
  const move = (target) => runScript('move.mjs', ['--port', port, '--wait', '0', 'demo', target])
  for (const ms of LIVES_MS) {
    const { child, ended } = move('DB_2')
    await Promise.race([sleep(ms), ended])
    child.kill('SIGKILL')
    await ended
    expect((await list()).items).toEqual(items)
  }
  const last = move('DB_2')
  expect(await last.ended, last.output()).toBe(0)
  const again = move('DB_2')
  expect([await again.ended, again.output()]).toEqual([0, 'The workspace is in DB_2.\n'])
  expect((await list()).items).toEqual(items)
  const unknown = move('DB_9')
  expect([await unknown.ended, unknown.output()]).toEqual([1, 'DB_9 is not one of DB, DB_2.\n'])
  const record = { medication_id: 'after-the-move', name: 'After the move' }
  const written = () =>
    client.post('/admin/datasets/v1/', { query: { type: 'medication' }, body: [record] }).then(
      ({ inserted }) => inserted,
      ({ status }) => status,
    )
  // Isolates remember for 30 seconds that it was read-only.
  for (let n = 0; n < 40 && (await written()) === 503; n++) await sleep(1000)
  expect((await list()).total).toBe(total + 1)
})
