import * as z from 'zod'
import type { AppContext } from '#worker/http/context'

/** The response of an endpoint: its description, and how to send the handler's result. */
export interface Answer<Value = never> {
  /** Schemas of the body by content type; the status is 200. */
  content: Readonly<Record<string, z.ZodType>>
  /** Whether the status can also be 202, with the same body, if one request is not enough for all the work. */
  accepted?: true
  hasEntityTag?: true
  file?: true
  /** For a redirect (302): a description of its target. */
  redirect?: string
  /** A handler may also return a `Response`, which is sent unchanged. */
  send(c: AppContext, value: Value): Response
}

export const bare = <S extends z.ZodType>(schema: S): Answer<z.output<S>> => ({
  content: { 'application/json': schema },
  send: (c, value) => c.json(value as object),
})

interface Envelope<T> {
  message: string
  data: T
}

const envelopeOf = <S extends z.ZodType>(message: z.ZodString, data: S) => ({
  'application/json': z.strictObject({ success: z.literal(true), message, data }),
})

/** The envelope `{"success": true, "message", "data"}` around data of a schema. */
export const enveloped = <S extends z.ZodType>(schema: S): Answer<Envelope<z.output<S>>> => ({
  content: envelopeOf(z.string(), schema),
  send: (c, { message, data }) => c.json({ success: true, message, data } as object),
})

export const envelopedAs = <S extends z.ZodType>(message: string, schema: S): Answer<z.output<S>> => ({
  content: envelopeOf(z.string().meta({ example: message }), schema),
  send: (c, data) => c.json({ success: true, message, data } as object),
})

export const redirect = (where: string): Answer<string> => ({
  content: {},
  redirect: where,
  send: (c, location) => c.redirect(location),
})

/** Files by content type; the handler returns the response. */
export const file = (content: Readonly<Record<string, z.ZodType>>): Answer<Response> => ({
  content,
  file: true,
  send: (_c, response) => response,
})

/** JSON or a file. A handler that returns a `Response` sends the file. */
export const orFile = <V>(answer: Answer<V>, content: Readonly<Record<string, z.ZodType>>): Answer<V> => ({
  ...answer,
  file: true,
  content: { ...answer.content, ...content },
})
