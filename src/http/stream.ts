import type { AppContext } from './context'

/** Pieces of text are joined to about this many characters before they are sent. */
const PIECE_CHARACTERS = 64 * 1024

/**
 * An answer made while it is being sent: nothing of it is held but the next piece. The request counts as complete when
 * the stream has ended or the client has gone.
 *
 * A fault in the middle breaks the connection off, so that the client cannot take half an answer for a whole one.
 *
 * @param pieces text in any portions
 */
export function streamText(
  c: AppContext,
  pieces: Iterable<string> | AsyncIterable<string>,
  status: number,
  headers: Record<string, string>,
): Response {
  const source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const encoder = new TextEncoder()
  const { completion } = c.var
  if (c.req.method !== 'HEAD') completion.defer()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = ''
      try {
        while (text.length < PIECE_CHARACTERS) {
          const { done, value } = await source.next()
          if (done) {
            if (text !== '') controller.enqueue(encoder.encode(text))
            controller.close()
            completion.run()
            return
          }
          text += value
        }
        controller.enqueue(encoder.encode(text))
      } catch (error) {
        c.error = error instanceof Error ? error : new Error('the stream failed')
        controller.error(error)
        completion.run()
      }
    },
    async cancel() {
      await source.return?.()
      completion.run()
    },
  })
  return new Response(body, { status, headers })
}
