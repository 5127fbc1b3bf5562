/**
 * Pseudo-random numbers from 0 to below 1, decided by a seed (mulberry32, public domain).
 *
 * @param {number} seed
 * @returns {() => number} the next number
 */
export function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Choices that seeds decide. */
export class Random {
  /** @param {...number} seeds */
  constructor(...seeds) {
    this.next = randomFrom(seeds.reduce((state, seed) => Math.imul(state ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1))
  }

  /** @returns {number} a whole number, both ends included */
  between(from, to) {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(share) {
    return this.next() < share
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  of(list) {
    return list[Math.floor(this.next() * list.length)]
  }

  /**
   * One of the entries, by their weights. @template T @param {readonly (readonly [number, T])[]} entries @returns {T}
   */
  weighted(entries) {
    let left = this.next() * entries.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, entry] of entries) {
      left -= weight
      if (left < 0) return entry
    }
    return entries.at(-1)[1]
  }

  /** Different ones of the numbers from 0 to below `size`. */
  sample(size, count) {
    const chosen = new Set()
    while (chosen.size < Math.min(size, count)) chosen.add(this.between(0, size - 1))
    return [...chosen]
  }
}
