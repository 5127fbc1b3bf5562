import * as z from 'zod'
import type { AppContext } from './context'

/**
 * What an endpoint answers: how it is described, and how the value that its handler returns is sent.
 *
 * `Value` is what the handler returns. `Data` is what a client gets from a successful call.
 */
export interface Answer<Value = never, Data = unknown> {
  /** Schemas of the body by content type; the status is 200. */
  content: Readonly<Record<string, z.ZodType>>
  /** Where the answer is a redirect (302): where to. */
  redirect?: string
  send(c: AppContext, value: Value): Response
  /** Only for the types; never there. */
  readonly data?: Data
}

/** A body without an envelope. */
export const bare = <S extends z.ZodType>(schema: S): Answer<z.output<S>, z.output<S>> => ({
  content: { 'application/json': schema },
  send: (c, value) => c.json(value as object),
})

/** What the handler of an enveloped answer returns. */
export interface Enveloped<T> {
  /** A short sentence for people. */
  message: string
  data: T
}

/** The envelope `{"success": true, "message", "data"}` around what a schema describes. */
export const enveloped = <S extends z.ZodType>(schema: S): Answer<Enveloped<z.output<S>>, z.output<S>> => ({
  content: {
    'application/json': z.strictObject({ success: z.literal(true), message: z.string(), data: schema }),
  },
  send: (c, { message, data }) => c.json({ success: true, message, data } as object),
})

/** A redirect; the handler returns the address. */
export const redirect = (where: string): Answer<string, never> => ({
  content: {},
  redirect: where,
  send: (c, location) => c.redirect(location),
})

/** Files by content type; the handler returns the response. */
export const file = (content: Readonly<Record<string, z.ZodType>>): Answer<Response, Blob> => ({
  content,
  send: (_c, response) => response,
})

/** Either of two answers; a handler that returns a `Response` gives the file. */
export const orFile = <V, D>(
  answer: Answer<V, D>,
  content: Readonly<Record<string, z.ZodType>>,
): Answer<V | Response, D | Blob> => ({
  content: { ...answer.content, ...content },
  send: (c, value) => (value instanceof Response ? value : answer.send(c, value)),
})
