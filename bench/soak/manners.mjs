/** How clients behave, with the weight of each manner (see `Connection`). */

export const UPLOADS = [
  [60, 'whole'],
  [6, 'abort-upload'],
  [10, 'vanish'],
  [5, 'stall-upload'],
  [1, 'stall-for-good'],
]
export const DOWNLOADS = [
  [70, 'whole'],
  [12, 'abort-download'],
  [8, 'vanish'],
  [5, 'stall-download'],
]
export const DECISIONS = [
  [9, 'whole'],
  [1, 'vanish'],
]
/** Milliseconds, from and to. */
export const PAUSES = {
  vanish: [0, 150],
  'abort-upload': [0, 100],
  'stall-upload': [300, 2500],
  'stall-for-good': [11_000, 12_000],
  'stall-download': [500, 4000],
}
