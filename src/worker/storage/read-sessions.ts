/** A D1 bookmark with its binding. The keywords that start a session without a bookmark do not count. */
const BOOKMARK = /^([A-Za-z0-9_]{1,64})=([0-9a-f]{1,32}(?:-[0-9a-f]{1,32}){0,7})$/

/** The bookmark in one part of the header, as a list of one; otherwise an empty list. */
function bookmarkIn(part: string): [binding: string, bookmark: string][] {
  const [, binding, bookmark] = BOOKMARK.exec(part.trim()) ?? []
  return binding && bookmark ? [[binding, bookmark]] : []
}

/**
 * The D1 sessions of one request (Cloudflare, D1, "Global read replication"). With a bookmark, no read is older than
 * what the caller has seen. Without, reads go to the nearest replica or to the primary.
 */
export class ReadSessions {
  readonly #enabled: boolean
  readonly #bookmarks: ReadonlyMap<string, string>
  readonly hasHeader: boolean
  readonly #sessions = new Map<string, { session: D1DatabaseSession; nearest: boolean }>()

  /** @param header as the caller sent it back; with any other text, reads go to the primary */
  constructor(header: string | undefined, enabled: boolean) {
    this.#enabled = enabled
    this.#bookmarks = new Map((header ?? '').split(',').flatMap(bookmarkIn))
    this.hasHeader = header !== undefined
  }

  /** @param nearest whether the nearest replica may be read if the caller sent no bookmark */
  open(database: D1Database, binding: string, nearest: boolean): D1Database | D1DatabaseSession {
    if (!this.#enabled) return database
    const existing = this.#sessions.get(binding)
    if (existing && (nearest || !existing.nearest)) return existing.session
    const session = database.withSession(this.#startOf(binding, nearest))
    this.#sessions.set(binding, { session, nearest })
    return session
  }

  #startOf(binding: string, nearest: boolean): string {
    if (!nearest) return 'first-primary'
    return this.#bookmarks.get(binding) ?? (this.hasHeader ? 'first-primary' : 'first-unconstrained')
  }

  /** The value of `X-D1-Bookmark` for the caller to send back; undefined if no database was read. */
  bookmark(): string | undefined {
    if (this.#sessions.size === 0) return undefined
    const bookmarks = new Map(this.#bookmarks)
    for (const [binding, { session }] of this.#sessions) {
      const bookmark = session.getBookmark()
      if (bookmark) bookmarks.set(binding, bookmark)
    }
    return bookmarks.size === 0
      ? undefined
      : [...bookmarks].map(([binding, bookmark]) => `${binding}=${bookmark}`).join(',')
  }
}
