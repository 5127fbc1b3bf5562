/** A catalog as the contract describes it, kept in the simplest way, with everything that it ever was. */

/**
 * @typedef {{ fields: object, isActive: boolean }} State
 * @typedef {{ revision: number, place: number } & State} Version what a record was after a write that changed it
 * @typedef {{ id: string, fields: object, isActive: boolean }} Sent
 */

const same = (a, b) => a.isActive === b.isActive && JSON.stringify(a.fields) === JSON.stringify(b.fields)

export class CatalogModel {
  /** @type {Map<string, Version[]>} by id, in the order in which records were first written */
  #versions = new Map()
  revision = 0
  /** Writes in all, and those of them that were CSV files. */
  writes = 0
  uploads = 0

  /** @returns {[string, Version][]} what there is, in the order of first writing */
  get records() {
    return [...this.#versions].map(([id, versions]) => [id, versions.at(-1)])
  }

  get active() {
    return this.records.filter(([, { isActive }]) => isActive).length
  }

  get total() {
    return this.#versions.size
  }

  /** @returns {Version[]} oldest first */
  versionsOf(id) {
    return this.#versions.get(id)
  }

  /** What a record was after a revision; undefined if it was not there yet. */
  #then(id, revision) {
    return this.#versions.get(id).findLast((version) => version.revision <= revision)
  }

  /** Changes records in one step. @param {[string, State & { place: number }][]} changes */
  #commit(changes, format) {
    this.writes++
    if (format === 'csv') this.uploads++
    if (changes.length === 0) return
    this.revision++
    for (const [id, state] of changes) {
      const version = { ...state, revision: this.revision }
      const versions = this.#versions.get(id)
      if (versions === undefined) this.#versions.set(id, [version])
      else versions.push(version)
    }
  }

  /**
   * Carries out a write.
   *
   * @param {{ mode: 'upsert' | 'reconcile', format: 'csv' | 'json', records: Sent[] }} write
   * @returns what it must answer, and how many active records are active no more
   */
  write({ mode, format, records }) {
    const counts = {
      total: records.length,
      inserted: 0,
      updated: 0,
      reactivated: 0,
      unchanged: 0,
      deactivated: 0,
    }
    const active_before = this.active
    const sent = new Set(records.map(({ id }) => id))
    const changes = []
    let gone = 0
    if (mode === 'reconcile') {
      for (const [id, now] of this.records) {
        if (!now.isActive || sent.has(id)) continue
        changes.push([id, { fields: now.fields, isActive: false, place: -1 }])
        counts.deactivated++
        gone++
      }
    }
    for (const [place, { id, fields, isActive }] of records.entries()) {
      const now = this.#versions.get(id)?.at(-1)
      if (now === undefined) counts.inserted++
      else if (!now.isActive && isActive) counts.reactivated++
      else if (now.isActive && !isActive) counts.deactivated++
      else counts.updated++
      if (now?.isActive && !isActive) gone++
      if (now !== undefined && same(now, { fields, isActive })) counts.unchanged++
      else changes.push([id, { fields, isActive, place }])
    }
    this.#commit(changes, format)
    return { answer: { ...counts, active_before, active_after: this.active, revision: this.revision }, gone }
  }

  /** Makes the catalog what it was after a revision; answers as `write` does. */
  restore(revision) {
    const active_before = this.active
    const changes = []
    let [reactivated, deactivated] = [0, 0]
    for (const [id, now] of this.records) {
      const then = this.#then(id, revision) ?? { fields: now.fields, isActive: false }
      if (same(now, then)) continue
      if (!now.isActive && then.isActive) reactivated++
      if (now.isActive && !then.isActive) deactivated++
      changes.push([id, { fields: then.fields, isActive: then.isActive, place: 0 }])
    }
    const total = changes.length
    const counts = {
      total,
      inserted: 0,
      updated: total - reactivated - deactivated,
      reactivated,
      unchanged: 0,
      deactivated,
    }
    this.#commit(changes, 'restore')
    return {
      answer: { ...counts, active_before, active_after: this.active, revision: this.revision },
      gone: deactivated,
    }
  }
}

// Which records a search must find (docs/contract.md#text-search); tests check their order.

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim()

/** Ids of the records whose names and aliases hold every word of a query, whatever their order. */
export function matchingIds(records, query) {
  const words = fold(query).split(/\s+/).filter(Boolean)
  const holds = ({ name, display_name, aliases }) => {
    const lines = [name, display_name, ...aliases].map(fold)
    return words.every((word) => lines.some((line) => line.includes(word)))
  }
  return records.filter(([, { fields }]) => holds(fields)).map(([id]) => id)
}
