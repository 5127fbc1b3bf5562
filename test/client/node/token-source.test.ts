import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type GrantedToken, RenewedToken } from '#client/token-source'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A source whose tokens are numbered, and last 100 seconds. */
function numbered() {
  let granted = 0
  const obtain = async (): Promise<GrantedToken> => {
    const number = ++granted
    await new Promise((resolve) => setTimeout(resolve, 10))
    return { access_token: `token-${number}`, expires_in: 100 }
  }
  const source = new RenewedToken(obtain)
  const afterGrant = async <T>(token: Promise<T>): Promise<T> => {
    await vi.advanceTimersByTimeAsync(10)
    return token
  }
  return { source, afterGrant }
}

it('a token is used for four fifths of its life', async () => {
  const { source, afterGrant } = numbered()
  expect(await afterGrant(source.token())).toBe('token-1')
  vi.advanceTimersByTime(79_999)
  expect(await source.token()).toBe('token-1')
  vi.advanceTimersByTime(1)
  expect(await afterGrant(source.token())).toBe('token-2')
})

it('calls that need a new token at the same time share one, and one that was refused late takes it', async () => {
  const { source, afterGrant } = numbered()
  await afterGrant(source.token())
  const renewals = ['token-1', 'token-1'].map((refused) => source.renew(refused))
  expect(await afterGrant(Promise.all(renewals))).toEqual(['token-2', 'token-2'])
  expect(await source.renew('token-1')).toBe('token-2')
})

it('a token that could not be had is asked for again', async () => {
  let calls = 0
  const source = new RenewedToken(async () => {
    if (++calls === 1) throw new Error('no')
    return { access_token: 'token', expires_in: 100 }
  })
  await expect(source.token()).rejects.toThrow('no')
  expect(await source.token()).toBe('token')
})
