import type { AppContext } from './context'

/** The envelope of every answer but lists and tokens (specification, Endpoints). */
export const success = <T>(c: AppContext, message: string, data: T, status: 200 | 201 = 200): Response =>
  c.json({ success: true as const, message, data }, status)
