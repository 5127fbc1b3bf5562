/**
 * What a check of a partner token found. The error names the failed check, for the log only: the client never sees it.
 */
export type Checked<T> = { ok: true; value: T } | Refused

interface Refused {
  ok: false
  error: string
}

export const accepted = <T>(value: T): Checked<T> => ({ ok: true, value })

export const refused = (error: string): Refused => ({ ok: false, error })
