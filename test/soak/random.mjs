/** Random choices from seeds (mulberry32, public domain). */
export class Random {
  #state

  /** @param {...number} seeds */
  constructor(...seeds) {
    this.#state = seeds.reduce((state, seed) => Math.imul(state ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1)
  }

  /** @returns {number} from 0 to below 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** @returns {number} a whole number, both ends included */
  between = (from, to) => from + Math.floor(this.next() * (to - from + 1))

  chance = (share) => this.next() < share

  /** @template T @param {readonly T[]} list @returns {T} */
  of = (list) => list[this.between(0, list.length - 1)]

  /** One of the names, by their weights. @param {Record<string, number>} weights whole numbers */
  weighted = (weights) => this.of(Object.entries(weights).flatMap(([name, weight]) => Array(weight).fill(name)))

  /** Distinct numbers from 0 to below `size`. */
  sample(size, count) {
    const chosen = new Set()
    while (chosen.size < Math.min(size, count)) chosen.add(this.between(0, size - 1))
    return [...chosen]
  }
}
