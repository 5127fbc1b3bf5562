import { afterAll, describe, expect, it, vi } from 'vitest'
import { CONTROL, QUERY_PATH, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { move } from '../../scripts/move.mjs'
import { demoAccess, demoClient, eventually, groupMembers, log, setClock, started, startService } from './started.mjs'

/** What sets the clock of the service, and then ends it. */
describe('npm start in the end', () => {
  afterAll(() => vi.useRealTimers())

  it('does a scheduled run when it is asked for one, as if it were that time', async () => {
    const time = Date.parse('2030-01-01T00:00:00Z')
    const answer = await fetch(`${started.origin}${SCHEDULED_PATH}?time=${time}`, CONTROL)
    expect(answer.status).toBe(200)
    await eventually(async () => (await log()).includes('"scheduled":"housekeeping"'))
  })

  it.each([
    ['a page that shows it as an image', {}, 405],
    ['a page that sends a form', { method: 'POST', headers: { Origin: 'https://other.test' } }, 403],
    ['a page that asks first', { method: 'OPTIONS', headers: { Origin: 'https://other.test' } }, 403],
  ])('does none for %s, and sets no clock', async (_, init, status) => {
    const before = (await log()).split('"scheduled":').length
    for (const path of ['scheduled?time=1893456000000', 'clock?ahead=86400000']) {
      const answer = await fetch(`${started.origin}/cdn-cgi/handler/${path}`, init)
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    expect((await log()).split('"scheduled":').length).toBe(before)
  })

  it('keeps what a workspace has when it is moved to another database, and takes writes after the move', async () => {
    const moveTo = (target) => move(['--port', String(started.port), '--wait', '0', 'demo', target])
    await setClock(0)
    const client = demoClient()
    const query = { type: 'medication', limit: 1000 }
    const { items } = await client.get('/admin/datasets/v1/', { query })
    expect(items.length).toBeGreaterThan(100)
    await expect(moveTo('DB_9')).rejects.toThrow('DB_9 is not one of DB, DB_2.')
    await moveTo('DB_2')
    const body = JSON.stringify({ binding: 'DB_2', sql: 'SELECT count(*) AS records FROM records', params: [] })
    const [{ records }] = await (await fetch(`${started.origin}${QUERY_PATH}`, { ...CONTROL, body })).json()
    expect(records).toBeGreaterThan(items.length)
    expect((await client.get('/admin/datasets/v1/', { query })).items).toEqual(items)
    // Isolates remember for 30 seconds that it was read-only.
    await setClock(31_000)
    const written = { query: { type: 'medication' }, body: [{ medication_id: 'moved', name: 'After the move' }] }
    expect(await client.post('/admin/datasets/v1/', written)).toMatchObject({ inserted: 1 })
    await setClock(0)
  })

  it('ends with everything that it has started, and has what was written when it is started again', async () => {
    const records = () => Array.fromAsync(demoClient().records('symptom', { show_inactive: '1' }))
    const before = [demoAccess(), await records()]
    const { child, ended, group } = started.service
    expect(groupMembers(group).some(({ command }) => command.includes('workerd'))).toBe(true)
    child.kill('SIGTERM')
    expect([await ended, groupMembers(group)]).toEqual([0, []])
    await startService()
    expect([demoAccess(), await records()]).toEqual(before)
  })

  it('says that the runtime has died, and ends with 1', async () => {
    const { group, ended, output } = started.service
    process.kill(groupMembers(group).find(({ command }) => command.includes('workerd')).pid, 'SIGKILL')
    expect(await ended).toBe(1)
    expect(output()).toContain('The runtime of the service (workerd) has died.')
  })
})
