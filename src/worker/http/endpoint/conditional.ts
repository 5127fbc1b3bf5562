import { sha256Hex } from '#worker/crypto/hash'
import type { AppContext } from '#worker/http/context'
import type { Answer } from './answers'

const TAG_DIGITS = 32

/** An entity tag without its weak prefix: If-None-Match compares weakly (RFC 9110, section 13.1.2). */
const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

export const isConditional = (c: AppContext): boolean => c.req.header('If-None-Match') !== undefined

/** The 304 for a client whose copy has this tag; otherwise undefined. */
export function notModified(c: AppContext, tag: string, headers: Record<string, string> = {}): Response | undefined {
  const header = c.req.header('If-None-Match')
  if (header === undefined) return undefined
  const has = header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(tag))
  return has ? c.body(null, 304, { ETag: tag, ...headers }) : undefined
}

export function withEntityTag<T>(c: AppContext, tag: string, answer: T): T | Response {
  const answer304 = notModified(c, tag)
  if (answer304 === undefined) c.header('ETag', tag)
  return answer304 ?? answer
}

/**
 * A small response with an entity tag of its content, or the 304. The tag is weak, because the response may be
 * compressed or encrypted.
 */
export async function withContentTag<T>(c: AppContext, answer: T): Promise<T | Response> {
  return withEntityTag(c, `W/"${(await sha256Hex(JSON.stringify(answer))).slice(0, TAG_DIGITS)}"`, answer)
}

/** A response with an entity tag. A handler may return the 304 instead. */
export const conditional = <V>(answer: Answer<V>): Answer<V> => ({ ...answer, hasEntityTag: true })
