/**
 * The simplest implementation of a catalog as the contract describes it, with all of its history.
 *
 * @typedef {{ fields: Record<string, any>, isActive: boolean }} State
 * @typedef {State & { revision: number }} Version the state of a record after a write that changed it
 * @typedef {State & { id: string }} Sent
 */

const isSame = (one, other) =>
  one.isActive === other.isActive && JSON.stringify(one.fields) === JSON.stringify(other.fields)

const hasValue = (value) => value != null && !(Array.isArray(value) && value.length === 0)

export class CatalogModel {
  /** Oldest first, by ID, in the order in which records were first written. @type {Map<string, Version[]>} */
  #versions = new Map()
  revision = 0

  /** The present content, in the order of first writing. @returns {[string, Version][]} */
  get records() {
    return [...this.#versions].map(([id, versions]) => [id, versions.at(-1)])
  }

  get active() {
    return this.records.filter(([, { isActive }]) => isActive).length
  }

  /** @returns {Version[] | undefined} oldest first */
  versionsOf = (id) => this.#versions.get(id)

  /**
   * Applies a write, unless it is a dry run.
   *
   * @param {{ mode: 'upsert' | 'reconcile', records: Sent[] }} write
   * @returns the expected response
   */
  write({ mode, records }, isDryRun = false) {
    const counts = { total: records.length, inserted: 0, updated: 0, reactivated: 0, unchanged: 0, deactivated: 0 }
    const emptied = {}
    const sent = new Set(records.map(({ id }) => id))
    const leftOut = this.records.filter(([id, { isActive }]) => isActive && !sent.has(id))
    const changes = (mode === 'reconcile' ? leftOut : []).map(([id, { fields }]) => ({ id, fields, isActive: false }))
    counts.deactivated = changes.length
    for (const record of records) {
      const now = this.versionsOf(record.id)?.at(-1)
      if (now === undefined) counts.inserted++
      else if (now.isActive === record.isActive) counts.updated++
      else if (record.isActive) counts.reactivated++
      else counts.deactivated++
      if (now !== undefined && isSame(now, record)) counts.unchanged++
      else changes.push(record)
      for (const [name, value] of Object.entries(now?.fields ?? {}))
        if (hasValue(value) && !hasValue(record.fields[name])) emptied[name] = (emptied[name] ?? 0) + 1
    }
    return this.#answer(changes, { ...counts, emptied }, isDryRun)
  }

  /** Restores the catalog to a revision, unless it is a dry run. Returns a response like a write. */
  restore(revision, isDryRun = false) {
    const changes = this.records.flatMap(([id, now]) => {
      const then = this.versionsOf(id).findLast((version) => version.revision <= revision)
      const { fields, isActive } = then ?? { fields: now.fields, isActive: false }
      return isSame(now, { fields, isActive }) ? [] : [{ id, fields, isActive, wasActive: now.isActive }]
    })
    const reactivated = changes.filter(({ isActive, wasActive }) => isActive && !wasActive).length
    const deactivated = changes.filter(({ isActive, wasActive }) => !isActive && wasActive).length
    const [total, updated] = [changes.length, changes.length - reactivated - deactivated]
    return this.#answer(changes, { total, inserted: 0, updated, reactivated, unchanged: 0, deactivated }, isDryRun)
  }

  #answer(changes, counts, isDryRun) {
    const active_before = this.active
    const after = new Map(this.records.map(([id, { isActive }]) => [id, isActive]))
    for (const { id, isActive } of changes) after.set(id, isActive)
    const active_after = [...after.values()].filter(Boolean).length
    if (!isDryRun && changes.length > 0) {
      this.revision++
      for (const { id, fields, isActive } of changes)
        this.#versions.set(id, [...(this.versionsOf(id) ?? []), { fields, isActive, revision: this.revision }])
    }
    return { ...counts, active_before, active_after, revision: this.revision }
  }
}
