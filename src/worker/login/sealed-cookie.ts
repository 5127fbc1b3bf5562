import type * as z from 'zod'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { seal, unseal } from '#worker/crypto/seal'
import type { AppContext } from '#worker/http/context'
import { type CookieName, clearCookie, readCookie, writeCookie } from './cookies'

/**
 * A cookie that only the service can read and make.
 *
 * @param context keeps the values of different cookies apart
 * @param schema of the value, with the time at which it expires in milliseconds since the epoch
 */
export const sealedCookie = <T extends { expiresAt: number }>(
  name: CookieName,
  context: string,
  schema: z.ZodType<T>,
) => ({
  write: async (c: AppContext, value: T): Promise<void> =>
    writeCookie(c, name, await seal(await masterKeysOf(c.env), context, JSON.stringify(value))),

  /**
   * Clears the cookie. @returns undefined when there is none, and when it was altered, made elsewhere or has expired
   */
  async take(c: AppContext, now: Date): Promise<T | undefined> {
    const sealed = readCookie(c, name)
    clearCookie(c, name)
    if (sealed === undefined) return undefined
    const keys = await masterKeysOf(c.env)
    let text: string
    try {
      text = await unseal(keys, context, sealed)
    } catch {
      // A bad cookie is not a fault of the service: the login starts again.
      return undefined
    }
    const value = schema.parse(JSON.parse(text))
    return value.expiresAt > now.getTime() ? value : undefined
  },
})
