import * as z from 'zod'

/** The envelope of `http/responses.ts` around a schema, as an answer in JSON. */
export const enveloped = (data: z.ZodType): Record<string, z.ZodType> => ({
  'application/json': z.strictObject({ success: z.literal(true), message: z.string(), data }),
})
