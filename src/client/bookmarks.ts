/** A header that identifies the database state that a response has seen (docs/contract.md#read-replicas). */
const BOOKMARK_HEADER = 'X-D1-Bookmark'

/**
 * The database states that a client's responses have seen. Sent with the next request, they keep its response from
 * being older. Bookmarks of a database sort as text from oldest to newest (Cloudflare, D1, "Time Travel"), so responses
 * may arrive in any order.
 */
export class Bookmarks {
  readonly #newest = new Map<string, string>()

  read(headers: Headers): void {
    for (const part of (headers.get(BOOKMARK_HEADER) ?? '').split(',')) {
      const [binding, bookmark] = part.trim().split('=')
      if (!binding || !bookmark) continue
      if (bookmark > (this.#newest.get(binding) ?? '')) this.#newest.set(binding, bookmark)
    }
  }

  /** The headers to send; none before the first response from a database. */
  headers(): Record<string, string> {
    if (this.#newest.size === 0) return {}
    const parts = [...this.#newest].map(([binding, bookmark]) => `${binding}=${bookmark}`)
    return { [BOOKMARK_HEADER]: parts.join(',') }
  }
}
