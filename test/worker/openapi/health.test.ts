import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { version } from '../../../package.json'
import { bodyFrom, calling, callService } from '../../support/service'

describe('/health', () => {
  it('shows the running release, and that its database responds', async () => {
    expect(await bodyFrom(callService('/health'))).toEqual({ success: true, message: 'ok', version })
  })

  it.each([
    ['a variable that is malformed', { HISTORY_DAYS: 'forever' }, 'HISTORY_DAYS'],
    ['a database for new workspaces that is not bound', { NEW_WORKSPACES_IN: 'DB_9' }, 'DB_9'],
    ['a binding that is missing', { PARTNER_RATE_LIMIT: undefined }, 'PARTNER_RATE_LIMIT'],
    ['a secret that is malformed', { MASTER_KEY: 'secret' }, 'MASTER_KEY'],
  ])('returns 503 with %s, which only the log names', async (_, change, name) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const bindings = Object.fromEntries(Object.entries({ ...env, ...change }).filter(([, value]) => value))
    const response = await calling(undefined, bindings as unknown as typeof env)('/health')
    const text = await response.text()
    expect([response.status, text]).toEqual([503, expect.stringContaining('The service is not configured.')])
    expect(text).not.toContain(name)
    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines.some((line) => line.includes('not configured') && line.includes(name))).toBe(true)
    expect(lines.join()).not.toContain('"secret"')
  })
})
