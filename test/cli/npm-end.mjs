import { describe, expect, it } from 'vitest'
import { CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { demoAccess, demoClient, eventually, groupMembers, log, started, startService } from './started.mjs'

/** What leaves the service with nothing for other tests. */
describe('npm start in the end', () => {
  it('does a scheduled run when it is asked for one, as if it were that time', async () => {
    const time = Date.parse('2030-01-01T00:00:00Z')
    const answer = await fetch(`${started.origin}${SCHEDULED_PATH}?time=${time}`, CONTROL)
    expect(answer.status).toBe(200)
    await eventually(async () => (await log()).includes('"scheduled":"housekeeping"'))
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
