import * as z from 'zod'

export const formatSchema = z.enum(['json', 'csv'], { error: 'must be json or csv' }).optional()

/** A switch: `1`, or absent. */
export const flagSchema = z.literal('1', { error: 'must be 1, or absent' }).optional()

export const safeSchema = flagSchema.meta({
  description:
    "For CSV: cells that begin with `=`, `+`, `-`, `@`, a tab or CR get `'` in front, so that spreadsheet " +
    'programs do not run them as formulas. Such a file is for reading, not for uploading again.',
})

/** The error for a parameter that another one excludes. */
export const refuseField = (context: z.RefinementCtx, field: string, message: string): void =>
  context.addIssue({ code: 'custom', path: [field], message, params: { code: 'conditional' } })

/** Prefix of the dataset endpoints, whose type is a query parameter. */
export const DATASETS_PATH = '/admin/datasets/v1'

/** Prefix of the paths with the type in the path, so that no ID is mistaken for a fixed name. */
export const CATALOGS_PATH = '/admin/catalogs/v1'

export const UPLOADS_PATH = `${CATALOGS_PATH}/{type}/uploads` as const
