import { scopeOrPartnerToken } from '#worker/auth/access'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { json } from '#worker/http/body/request-body'
import { catalogDatabaseOf, controlDatabaseOf } from '#worker/http/databases'
import { envelopedAs } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { lookupKeyOf } from '#worker/storage/lookup-keys'
import { initiateRegistration, newRegistrationSchema, registrationSchema } from './registrations'

const initiate = endpoint(
  {
    method: 'post',
    path: '/registration/v1/init',
    operationId: 'initiateRegistration',
    tag: 'Registration',
    summary: 'Begin a registration',
    description:
      'A registration is pending for 10 minutes. During that time, a request with the same number ' +
      'returns the same registration.',
    access: scopeOrPartnerToken('registration'),
    body: json(newRegistrationSchema),
    takesEncrypted: true,
    answer: envelopedAs('Registration initiated', registrationSchema),
    errors: ['conflict'],
    writes: true,
  },
  async ({ c, body, now }) => {
    const masterKeys = await masterKeysOf(c.env)
    const keys = { masterKeys, lookupKey: await lookupKeyOf(controlDatabaseOf(c), masterKeys) }
    const { workspaceId } = c.var.caller
    return initiateRegistration(catalogDatabaseOf(c), keys, workspaceId, body, now)
  },
)

export const registrationEndpoints = [initiate] as const
