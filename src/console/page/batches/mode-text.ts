import type { Batch } from '../service/answers'

/** What an upload did to the records that were not in its file. */
export const modeText = (mode: Batch['mode']): string =>
  mode === 'reconcile' ? 'Full replacement' : 'Added and updated'
