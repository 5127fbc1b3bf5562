/**
 * A rate limit in memory, as Cloudflare has it. Miniflare's is a database on the disk: each request waits for it, and a
 * quarter of the CPU of a small one goes there.
 *
 * @param {{ limit: number, period: number }} simple requests of a key, and the seconds in which they may come
 */
export function rateLimit({ limit, period }) {
  const counts = new Map()
  let current
  return {
    async limit({ key }) {
      const window = Math.floor(Date.now() / 1000 / period)
      if (window !== current) counts.clear()
      current = window
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= limit }
    },
  }
}
