import type { FileInput, OnProgress } from '#client/api'
import { isFile, type Request } from '#client/request'
import { unreachable } from '#client/service-error'
import { sendByXhr, xhrOf } from '#client/xhr'

/** Like `globalThis.fetch`, for a service that is reached in another way. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

export type Pack = (plain: Blob) => Promise<Blob>

export interface Transport {
  fetch: Fetch
  pack: Pack
}

type Stream = ReadableStream<Uint8Array>

export const gzip: Pack = (plain) => new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob()

const blobOf = (file: Blob | Uint8Array<ArrayBuffer>): Blob => (file instanceof Blob ? file : new Blob([file]))

const formOf = (file: Blob, name: string): FormData => {
  const form = new FormData()
  form.set('file', file, name)
  return form
}

const DEFAULT_FILE_NAME = 'upload'

const counting = (total: number | undefined, onProgress: OnProgress): TransformStream<Uint8Array, Uint8Array> => {
  let sent = 0
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      sent += chunk.byteLength
      onProgress(sent, total)
    },
  })
}

/** A file is sent in pieces of this size, so that its progress is seen, in bytes. */
const PIECE_BYTES = 256 * 1024

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer())
  }
}

async function* formPieces(file: Stream, head: string, tail: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(head)
  const reader = file.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    reader.releaseLock()
  }
  yield encoder.encode(tail)
}

export function streamOf(parts: AsyncGenerator<Uint8Array>): Stream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

/** A form (RFC 7578) with a stream as its only part. `FormData` cannot hold a stream. */
function formStream(file: Stream, name: string): { body: Stream; contentType: string } {
  const boundary = `form-${crypto.randomUUID()}`
  const fileName = name.replaceAll(/["\r\n]/g, encodeURIComponent)
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`
  return {
    body: streamOf(formPieces(file, head, `\r\n--${boundary}--\r\n`)),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** The body of a request and the headers that go with it, for `fetch`. */
function fetchBody({ body, onProgress }: Request): { headers: Record<string, string>; init: object } {
  if (body === undefined) return { headers: {}, init: {} }
  if (!isFile(body)) {
    return { headers: { 'Content-Type': 'application/json' }, init: { body: JSON.stringify(body) } }
  }
  const { file, fileName = DEFAULT_FILE_NAME } = body
  if (!(file instanceof ReadableStream) && onProgress === undefined) {
    return { headers: {}, init: { body: formOf(blobOf(file), fileName) } }
  }
  const blob = file instanceof ReadableStream ? undefined : blobOf(file)
  const source = blob === undefined ? (file as Stream) : streamOf(piecesOf(blob))
  const counted = onProgress === undefined ? source : source.pipeThrough(counting(blob?.size, onProgress))
  const form = formStream(counted, fileName)
  // `duplex`: Node and browsers refuse a stream without it.
  return { headers: { 'Content-Type': form.contentType }, init: { body: form.body, duplex: 'half' } }
}

/** The same, packed if that is asked for. */
async function bodyToSend(request: Request, pack: Pack): Promise<ReturnType<typeof fetchBody>> {
  const { body, gzip, onProgress } = request
  if (!gzip || !isFile(body) || body.file instanceof ReadableStream) return fetchBody(request)
  const { form, headers } = await formToSend(body, gzip, pack)
  if (onProgress === undefined || !(form instanceof Blob)) return { headers, init: { body: form } }
  const counted = streamOf(piecesOf(form)).pipeThrough(counting(form.size, onProgress))
  // A stream would hide the length, which the service uses.
  return {
    headers: { ...headers, 'Content-Length': String(form.size) },
    init: { body: counted, duplex: 'half' },
  }
}

/** The whole form around a file, packed if that is asked for, and the headers that say what it is. */
async function formToSend(
  { file, fileName = DEFAULT_FILE_NAME }: FileInput,
  gzip: boolean,
  pack: Pack,
): Promise<{ form: FormData | Blob; headers: Record<string, string> }> {
  const blob = file instanceof ReadableStream ? await new Response(file).blob() : blobOf(file)
  const form = formOf(blob, fileName)
  if (!gzip) return { form, headers: {} }
  const plain = new Response(form)
  const contentType = plain.headers.get('Content-Type')!
  return {
    form: await pack(await plain.blob()),
    headers: { 'Content-Type': contentType, 'Content-Encoding': 'gzip' },
  }
}

/**
 * @returns the answer, with any status
 * @throws ServiceError when there is no answer; the reason of the signal when it is aborted
 */
export async function send({ fetch, pack }: Transport, request: Request): Promise<Response> {
  const { method, address, headers, body, signal, onProgress } = request
  const Xhr = xhrOf(globalThis)
  // In browsers, only XMLHttpRequest reports the progress of an upload, and it takes no streams.
  if (isFile(body) && onProgress !== undefined && Xhr !== undefined) {
    const { form, headers: ofForm } = await formToSend(body, request.gzip, pack)
    const all = { ...headers, ...ofForm }
    return sendByXhr(new Xhr(), { method, address, headers: all, form, signal, onProgress })
  }
  const { headers: ofBody, init } = await bodyToSend(request, pack)
  try {
    return await fetch(address, {
      method,
      headers: { ...ofBody, ...headers },
      ...(signal === undefined ? {} : { signal }),
      ...init,
    })
  } catch (error) {
    throw signal?.aborted ? signal.reason : unreachable(error)
  }
}
