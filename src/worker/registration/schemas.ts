import * as z from 'zod'
import { atMost, text, timestampSchema } from '#worker/http/endpoint/values'

/** Body and answer of the registration endpoint (docs/contract.md#registration). */

const MAX_PERSON_NAME_LENGTH = 200

export const newRegistrationSchema = z.object({
  mobile_number: text()
    .regex(/^\+[0-9]{8,15}$/, { error: 'must be + and 8 to 15 digits, such as +919876543210' })
    .meta({ description: 'With country code.' }),
  name: z
    .string({ error: 'must be a string' })
    .refine(...atMost(MAX_PERSON_NAME_LENGTH))
    .optional()
    .meta({ description: `Up to ${MAX_PERSON_NAME_LENGTH} characters.` }),
})

export const registrationSchema = z
  .strictObject({
    registration_id: z.uuid(),
    status: z.literal('initiated'),
    expires_at: timestampSchema,
  })
  .meta({ id: 'Registration', description: 'A registration that has begun.' })

export type NewRegistration = z.output<typeof newRegistrationSchema>
export type Registration = z.output<typeof registrationSchema>
