/** The connection between a page and the service, for the tests and the benchmark. */

/** Parts of a page by name. */
const NAMED_PARTS = 8

/**
 * A page's responses from the service, none from a cache: bytes as they come over the wire, including response headers.
 */
export class Wire {
  /** @type {Map<string, { address: string, bytes: number }>} */
  #parts = new Map()

  /** @param {import('playwright-core').Page} page */
  static async of(page) {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    const wire = new Wire()
    const addresses = new Map()
    session.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const address = addresses.get(requestId)
      if (address?.startsWith('http')) wire.#parts.set(requestId, { address, bytes: encodedDataLength })
    })
    return wire
  }

  get bytes() {
    return [...this.#parts.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Paths, in the order in which they were complete. */
  get paths() {
    return [...this.#parts.values()].map(({ address }) => new URL(address).pathname)
  }

  get heaviest() {
    return [...this.#parts.values()]
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, NAMED_PARTS)
      .map(({ address, bytes }) => `${(bytes / 1000).toFixed(1).padStart(7)} kB  ${new URL(address).pathname}`)
  }
}

/**
 * Simulates a slow connection of a page.
 *
 * @param {import('playwright-core').Page} page
 * @param {{ bitsPerSecond: number, latencyMs: number }} line
 */
export async function slowDown(page, { bitsPerSecond, latencyMs }) {
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = bitsPerSecond / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    uploadThroughput: bytesPerSecond,
    downloadThroughput: bytesPerSecond,
  })
}
