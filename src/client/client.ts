import { isAnswer, isAnswerTo } from '#client/answer'
import type { Arguments, Data, FilePath, JsonPath, Method } from '#client/api'
import { Bookmarks } from '#client/bookmarks'
import { type RawOptions, type Request, requestOf, requireHeader } from '#client/request'
import { type RetryPolicy, retryPolicy, sleep, timeLimit, waitBeforeRetry, withKey } from '#client/retry'
import { cutFile, dateOf, errorOf, foreignAnswer, otherAnswer, ServiceError, unreachable } from '#client/service-error'
import type { TokenSource } from '#client/token-source'
import { type Fetch, send } from '#client/transport'
import { mayHoldInexactRefid, parseExactJson } from '#shared/json/exact-numbers'

/** What a log may know of one request: no secret, no query and no record. */
export interface Attempt {
  method: string
  /** The path with the names of its parameters, not their values. */
  path: string
  /** Status of the answer; 0 if there was none. */
  status: number
  /** The service's log has the cause of a failure under this id. */
  requestId: string | null
  durationMs: number
  /** The time of the answer by the clock of the service (`Date`), in milliseconds since 1970; null if it has none. */
  serviceTime: number | null
  /** Why there was no answer of the service, or not all of it; null if there was one. */
  failure: ServiceError | null
}

export interface ClientOptions {
  /** Where the service is: `https://catalog.example`. Left out in a page of the service itself. */
  baseUrl?: string | undefined
  /** Left out for endpoints that need no access token. */
  tokens?: TokenSource | undefined
  retry?: RetryPolicy | undefined
  /** Used instead of `globalThis.fetch`. */
  fetch?: Fetch | undefined
  /**
   * Longest time of one attempt, in milliseconds; of a download, until it begins. Without it an attempt waits as long
   * as `fetch` does.
   */
  timeoutMs?: number | undefined
  /** Ends every call, and the waiting between its attempts. */
  signal?: AbortSignal | undefined
  /**
   * True unless set: a number in a `refid` that JavaScript would change, such as one of 18 digits or `1.0`, is read as
   * an object (`JSON.rawJSON`), which `JSON.stringify` writes as it was. So a record can be sent back unchanged. With
   * `false` it is a number, for programs that only read.
   */
  exact?: boolean | undefined
  /** Called after each attempt, for logs. It gets no secret, no query and no record. */
  onAttempt?: ((attempt: Attempt) => void) | undefined
}

/** How calls are made, whatever they are for. */
export type CallOptions = Pick<ClientOptions, 'fetch' | 'retry' | 'timeoutMs' | 'signal' | 'onAttempt'>

/**
 * A file in an answer. Its bytes can be read once, by `stream` or by `blob`. Both throw as the call does when the
 * connection breaks.
 */
export interface Download {
  /** The name that the service gives; null when it gives none. */
  fileName: string | null
  contentType: string
  stream: ReadableStream<Uint8Array>
  blob(): Promise<Blob>
}

/** `data` of an answer in an envelope; an answer without one is its own data. */
const dataOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'success' in body && 'data' in body ? body.data : body

/** @throws ServiceError when the JavaScript engine would change a number; SyntaxError for another text than JSON */
function parse(text: string, exact: boolean, status: number): unknown {
  // `JSON.parse` is several times as fast, and enough unless the text of a number in a `refid` matters.
  if (!exact || !mayHoldInexactRefid(text)) return JSON.parse(text)
  if ('rawJSON' in JSON) return parseExactJson(text)
  throw new ServiceError(
    'This JavaScript engine would change a number in a refid: it has no JSON.rawJSON. Use Node 22 or later, or a ' +
      'browser of 2025 or later. To read records without sending them back, set exact: false.',
    { status, isLasting: true },
  )
}

/** Why a request or its answer has ended: the reason of the signal if it is aborted, else a ServiceError. */
const reasonOf = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted) return signal.reason
  return error instanceof ServiceError ? error : unreachable(error)
}

const [QUOTE, LINE_END] = [0x22, 0x0a]

/**
 * A stream of the body. It fails with a ServiceError, or with the reason of the signal.
 *
 * @param total the records of a CSV file that has one line for each; NaN if that is not known. HTTP tells of a file
 *   that was cut, but not behind a proxy that ends its own answer as if nothing had happened.
 */
function streamOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  total: number,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  // The header row is none.
  let records = -1
  let isQuoted = false
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw reasonOf(error, signal)
      })
      for (const byte of value ?? []) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === LINE_END && !isQuoted) records++
      }
      if (!done) controller.enqueue(value)
      else if (Number.isNaN(total) || records === total) controller.close()
      else throw cutFile(records, total)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** @throws ServiceError for an answer that is not of the service: each of those has an id */
async function downloadOf({ body, headers, status }: Response, signal: AbortSignal | undefined): Promise<Download> {
  if (!headers.has('X-Request-Id')) throw foreignAnswer(status)
  const contentType = headers.get('Content-Type') ?? 'application/octet-stream'
  const total = Number(headers.get('X-Total-Count') ?? Number.NaN)
  const stream = streamOf(body ?? new Blob([]).stream(), signal, total)
  return {
    fileName: /filename="([^"]*)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? null,
    contentType,
    stream,
    blob: () => new Response(stream, { headers: { 'Content-Type': contentType } }).blob(),
  }
}

/**
 * The service, for programs. Paths, parameters, bodies and answers have the types of the endpoints.
 *
 * Every method throws a `ServiceError` for a refusal and for a service that cannot be reached, and the reason of the
 * signal for a call that is aborted. A token that the service refuses is renewed once. Requests that are safe to
 * repeat are sent again when that may help (`RetryPolicy`): reads, dry runs, deletions, and changes of a catalog, which
 * get an `Idempotency-Key`.
 *
 * @example
 * const client = new ServiceClient({ baseUrl, tokens: clientCredentials({ baseUrl, clientId, clientSecret, apiKey }) })
 * const page = await client.get('/admin/datasets/v1/', { query: { type: 'medication', limit: 50 } })
 */
export class ServiceClient {
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string
  readonly #options: ClientOptions
  readonly #retry: ReturnType<typeof retryPolicy>
  readonly #fetch: Fetch
  readonly #bookmarks = new Bookmarks()

  constructor(options: ClientOptions = {}) {
    const { baseUrl = '', retry, fetch } = options
    this.baseUrl = baseUrl.replace(/\/$/, '')
    this.#options = options
    this.#retry = retryPolicy(retry)
    // A browser's `fetch` works only as a method of the global object.
    this.#fetch = fetch ?? ((address, init) => globalThis.fetch(address, init))
  }

  get<Path extends JsonPath<'get'>>(path: Path, ...options: Arguments<'get', Path>): Promise<Data<'get', Path>>
  get(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('get', path, options)
  }

  /** Sends JSON, or a file if the endpoint takes one: `{ file, fileName }`. */
  post<Path extends JsonPath<'post'>>(path: Path, ...options: Arguments<'post', Path>): Promise<Data<'post', Path>>
  post(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('post', path, options)
  }

  put<Path extends JsonPath<'put'>>(path: Path, ...options: Arguments<'put', Path>): Promise<Data<'put', Path>>
  put(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('put', path, options)
  }

  delete<Path extends JsonPath<'delete'>>(
    path: Path,
    ...options: Arguments<'delete', Path>
  ): Promise<Data<'delete', Path>>
  delete(path: string, options?: RawOptions): Promise<unknown> {
    return this.#json('delete', path, options)
  }

  /** A call whose answer is a file: a catalog with `format: 'csv'`, a document's content. */
  file<M extends Method, Path extends FilePath<M>>(
    method: M,
    path: Path,
    ...options: Arguments<M, Path>
  ): Promise<Download>
  file(method: Method, path: string, options?: RawOptions): Promise<Download> {
    return this.#call(method, path, options, downloadOf)
  }

  async #json(method: Method, path: string, options: RawOptions = {}): Promise<unknown> {
    return this.#call(method, path, options, async (response, _, request) => {
      const text = await response.text()
      try {
        const body = parse(text, options.exact ?? this.#options.exact ?? true, response.status)
        if (isAnswer(request, body)) {
          const data = dataOf(body)
          if (isAnswerTo(request, data)) return data
          throw otherAnswer(response.status)
        }
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error
      }
      throw foreignAnswer(response.status)
    })
  }

  async #call<T>(method: Method, path: string, options: RawOptions = {}, read: ReadResponse<T>): Promise<T> {
    const { tokens } = this.#options
    const signal = this.#signalWith(options)
    const request = withKey(await requestOf(this.baseUrl, method, path, { ...options, signal }))
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted()
      // A source of tokens repeats its own requests.
      const token = await tokens?.token()
      try {
        return await this.#authorized(request, token, read)
      } catch (error) {
        const wait = waitBeforeRetry(this.#retry, request, error, attempt)
        if (wait === undefined) throw error
        await sleep(wait, request.signal)
      }
    }
  }

  #signalWith({ signal }: RawOptions): AbortSignal | undefined {
    const { signal: ofAll } = this.#options
    return signal && ofAll ? AbortSignal.any([signal, ofAll]) : (signal ?? ofAll)
  }

  /** Sends a request with a token, and renews the token once if the service refuses it. */
  async #authorized<T>(request: Request, token: string | undefined, read: ReadResponse<T>): Promise<T> {
    if (token === undefined) return this.#attempt(request, read)
    const { tokens } = this.#options
    try {
      return await this.#attempt(withToken(request, token), read)
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 401 && tokens?.renew)) throw error
      return this.#attempt(withToken(request, await tokens.renew(token)), read)
    }
  }

  /** Sends a request once, and ends it when its time is over. */
  async #attempt<T>(request: Request, read: ReadResponse<T>): Promise<T> {
    const { method, path } = request
    const headers = { ...this.#bookmarks.headers(), ...request.headers }
    const { signal, end } = timeLimit(this.#options.timeoutMs, request.signal)
    const startedAt = Date.now()
    let response: Response | undefined
    let failure: ServiceError | null = null
    try {
      response = await send(this.#fetch, { ...request, headers, signal })
      this.#bookmarks.read(response.headers)
      if (response.ok) return await read(response, signal, request)
      throw await errorOf(response)
    } catch (error) {
      const reason = reasonOf(error, signal)
      if (reason instanceof ServiceError && (reason.status === 0 || reason.code === 'unknown')) failure = reason
      throw reason
    } finally {
      end()
      const { status = 0, headers: answerHeaders } = response ?? {}
      const requestId = answerHeaders?.get('X-Request-Id') ?? null
      const serviceTime = answerHeaders ? dateOf(answerHeaders) : null
      const durationMs = Date.now() - startedAt
      this.#options.onAttempt?.({ method, path, status, requestId, durationMs, serviceTime, failure })
    }
  }
}

type ReadResponse<T> = (response: Response, signal: AbortSignal | undefined, request: Request) => Promise<T>

function withToken(request: Request, token: string): Request {
  requireHeader('Authorization', token)
  return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } }
}
