import { Hono } from 'hono'
import { authenticate, authenticateWithPartnerToken, requireScope } from '#auth/authenticate'
import { masterKeysOf } from '#crypto/master-keys'
import type { AppEnv } from '#http/context'
import { noStore } from '#http/no-store'
import { success } from '#http/responses'
import { readJson } from '#http/validation'
import { catalogDatabase } from '#storage/database'
import { initiateRegistration } from './initiate'
import { newRegistrationSchema } from './schemas'

/** The registration endpoint (decisions, section 11), mounted at /registration/v1. */
export const registrationRoutes = new Hono<AppEnv>({ strict: false })

registrationRoutes.post(
  '/init',
  noStore,
  authenticateWithPartnerToken,
  requireScope('registration'),
  async (c) => {
    const input = await readJson(c, newRegistrationSchema)
    const { workspaceId, databaseBinding } = c.var.caller
    const database = catalogDatabase(c.env, databaseBinding, c.var.meter)
    const keys = await masterKeysOf(c.env)
    const registration = await c.var.deadline.whileWriting(() =>
      initiateRegistration(database, keys, workspaceId, input, new Date()),
    )
    return success(c, 'Registration initiated', registration)
  },
)

// Whatever else is asked for below this path is told to those alone who have a token.
registrationRoutes.use(authenticate)
