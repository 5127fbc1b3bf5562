import { LONGEST_STREAM_MS } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { withinTime } from '#worker/storage/deadline'
import { Steps } from './steps'

/** Milliseconds for which a client may stall: less than the 30 seconds after which the platform ends the request. */
const STREAM_IDLE_MS = 20_000

/** Milliseconds for which a client may stall while others wait for the response's memory. */
const STREAM_PATIENCE_MS = 3000

/** Milliseconds for which an aborted response waits for its source. */
const CLOSING_MS = 5000

/** Pieces of text are joined to about this many characters before sending. */
const PORTION_CHARACTERS = 64 * 1024

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>
type TextSource = Iterator<string | Uint8Array> | AsyncIterator<string | Uint8Array>

/** A response that was aborted. The message is the reason, for the log. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError'
}

/**
 * Streams a response piece by piece. It may hold the lease on the memory of the request body, which ends if the client
 * stalls. A fault or an early end breaks the connection: half a response must not look complete.
 */
export function streamText(c: AppContext, pieces: Pieces, status: number, headers: Record<string, string>): Response {
  const { completion, leases } = c.var
  if (c.req.method === 'HEAD') return new Response(null, { status, headers })
  completion.deferred = true
  const answer = new StreamedAnswer(pieces, (error) => {
    if (error !== undefined) c.error = error
    completion.run()
  })
  const memory = leases.takeMemory()
  memory?.renew(STREAM_PATIENCE_MS)
  if (memory !== undefined) memory.whenEnded = () => answer.dropSource()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => answer.start(controller),
    pull: async () => {
      // The client is reading, so the time until the next piece does not count against it.
      memory?.renew()
      await answer.pull()
      memory?.renew(STREAM_PATIENCE_MS)
    },
    cancel: () => answer.end(new CutOffError('the client left')),
  })
  completion.add(() => memory?.release())
  return new Response(body, { status, headers })
}

class StreamedAnswer {
  readonly #encoder = new TextEncoder()
  /** Streams do not pause while their client reads fast. Code that creates text pauses itself. */
  readonly #steps = new Steps()
  readonly #whenEnded: (error?: Error) => void
  #source: TextSource | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #idle: ReturnType<typeof setTimeout> | undefined
  #longest: ReturnType<typeof setTimeout> | undefined

  constructor(pieces: Pieces, whenEnded: (error?: Error) => void) {
    this.#source = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
    this.#whenEnded = whenEnded
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#longest = setTimeout(() => this.end(new CutOffError('the answer took too long')), LONGEST_STREAM_MS)
    this.#waitForClient()
  }

  async pull(): Promise<void> {
    clearTimeout(this.#idle)
    try {
      const hasEnded = await this.#sendPiece()
      if (hasEnded) this.end()
      else this.#waitForClient()
    } catch (error) {
      this.end(error instanceof Error ? error : new Error('the stream failed'))
    }
  }

  /** Drops the source of the response, which breaks off when the client reads the next piece. */
  dropSource(): void {
    this.#source = undefined
  }

  end(error?: Error): void {
    const controller = this.#controller
    if (controller === undefined) return
    this.#controller = undefined
    clearTimeout(this.#idle)
    clearTimeout(this.#longest)
    const source = this.#source
    this.#source = undefined
    if (error === undefined) {
      controller.close()
      this.#whenEnded()
      return
    }
    controller.error(error)
    // The request continues until a read in progress has released its slot.
    const closing = Promise.resolve(source?.return?.()).catch(() => undefined)
    void withinTime<unknown>(closing, CLOSING_MS, () => undefined).then(() => this.#whenEnded(error))
  }

  #waitForClient(): void {
    this.#idle = setTimeout(() => this.end(new CutOffError('the client left, or takes nothing more')), STREAM_IDLE_MS)
  }

  async #sendPiece(): Promise<boolean> {
    let text = ''
    while (text.length < PORTION_CHARACTERS) {
      if (this.#source === undefined) throw new CutOffError('the memory was needed for others')
      const { done, value } = await this.#source.next()
      if (done) {
        if (text !== '') this.#controller?.enqueue(this.#encoder.encode(text))
        return true
      }
      if (typeof value === 'string') text += value
      else {
        this.#controller?.enqueue(value)
        if (this.#steps.isDue(value.byteLength)) await this.#steps.pause()
        return false
      }
    }
    this.#controller?.enqueue(this.#encoder.encode(text))
    return false
  }
}
