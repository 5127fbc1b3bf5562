import type { OnProgress } from '#client/api'
import type { Request } from '#client/request'
import { sendByXhr, xhrOf } from '#client/xhr'

/** Like `globalThis.fetch`, for a service that is reached in another way. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>

/** Bytes are sent in pieces of this size, so that their progress is seen. */
const PIECE_BYTES = 256 * 1024

/** Bytes as a stream that tells how many of them are sent. */
function countedStream(content: Blob, onProgress: OnProgress): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    async pull(controller) {
      const piece = content.slice(sent, sent + PIECE_BYTES)
      controller.enqueue(new Uint8Array(await piece.arrayBuffer()))
      sent += piece.size
      onProgress(sent, content.size)
      if (sent === content.size) controller.close()
    },
  })
}

/** @returns the answer, with any status @throws what `fetch` throws */
export function send(fetch: Fetch, request: Request): Promise<Response> {
  const { method, address, headers, content, signal, onProgress } = request
  const init: RequestInit = { method, headers, body: content, signal: signal ?? null }
  if (onProgress === undefined || !(content instanceof Blob)) return fetch(address, init)
  const Xhr = xhrOf(globalThis)
  // In browsers, only XMLHttpRequest reports the progress of an upload.
  if (Xhr !== undefined) return sendByXhr(new Xhr(), { method, address, headers, content, signal, onProgress })
  const stream = {
    body: countedStream(content, onProgress),
    // A stream would hide the length, which the service uses.
    headers: { ...headers, 'Content-Length': String(content.size) },
    // Node refuses a stream without it.
    duplex: 'half' as const,
  }
  return fetch(address, { ...init, ...stream })
}
