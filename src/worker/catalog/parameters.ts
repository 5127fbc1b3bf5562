import * as z from 'zod'

/** Query parameters that several endpoints of a catalog take. */

export const formatSchema = z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional()

/** A switch: `1`, or absent. */
export const flagSchema = z.literal('1', { error: 'must be 1, or absent' }).optional()

export const safeSchema = flagSchema.meta({
  description:
    "For CSV: cells that begin with `=`, `+`, `-`, `@`, a tab or CR get `'` in front, so that spreadsheet " +
    'programs do not run them as formulas. Such a file is for reading, not for uploading again.',
})

/** Refuses a parameter because of another one. */
export const refuseField = (context: z.RefinementCtx, field: string, message: string): void =>
  context.addIssue({ code: 'custom', path: [field], message, params: { code: 'conditional' } })
