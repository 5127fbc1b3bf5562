/** What `pack.worker.ts` answers. */
export type PackAnswer = { packed: Blob } | { fault: string }

/**
 * Packs a body with gzip in a worker: several megabytes take long enough to stop the page.
 *
 * @throws Error whose message says why it cannot be packed
 */
export async function packInWorker(plain: Blob): Promise<Blob> {
  const worker = new Worker(new URL('./pack.worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<PackAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<PackAnswer>) => resolve(data)
      worker.onerror = (event) => reject(new Error(event.message || 'The program that packs did not start.'))
      worker.postMessage(plain)
    })
    if ('fault' in answer) throw new Error(answer.fault)
    return answer.packed
  } finally {
    worker.terminate()
  }
}
