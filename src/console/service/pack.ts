import type { Pack } from '#client/request'

/** Packs a body with gzip in a worker: several megabytes take long enough to stop the page. */
export const packInWorker: Pack = async (plain) => {
  const { doOnce, handleOf } = await import('../worker-handle')
  const worker = new Worker(new URL('./pack.worker.ts', import.meta.url), { type: 'module' })
  return doOnce(handleOf<{ gzip: Pack }>(worker, 'packs files'), (work) => work.gzip(plain))
}
