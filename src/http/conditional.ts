import { type Answer, orFile } from './answers'
import type { AppContext } from './context'

/** An entity tag without the mark of a weak one: If-None-Match compares weakly (RFC 9110, section 13.1.2). */
const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

export const isConditional = (c: AppContext): boolean => c.req.header('If-None-Match') !== undefined

/** The answer to a client that has what the tag names already; undefined where it has not. */
export function notModified(
  c: AppContext,
  tag: string,
  headers: Record<string, string> = {},
): Response | undefined {
  const given = c.req.header('If-None-Match')
  if (given === undefined) return undefined
  const has = given.trim() === '*' || given.split(',').some((one) => opaque(one) === opaque(tag))
  return has ? c.body(null, 304, { ETag: tag, ...headers }) : undefined
}

/** An answer that may be 304 in place of what it is. */
export const conditional = <V, D>(answer: Answer<V, D>): Answer<V | Response, D> => orFile(answer, {})
