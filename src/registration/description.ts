import type { Endpoint } from '#http/endpoint'
import { enveloped } from '#http/enveloped'
import { newRegistrationSchema, registrationSchema } from './schemas'

export const registrationEndpoints: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/registration/v1/init',
    operationId: 'initiateRegistration',
    tag: 'Registration',
    summary: 'Begin a registration',
    description: 'It lasts 10 minutes; in that time, the same number answers the same registration.',
    access: 'registration',
    partnerToken: true,
    body: { 'application/json': newRegistrationSchema },
    response: enveloped(registrationSchema),
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'unsupported_media_type', 'rate_limited'],
  },
]
