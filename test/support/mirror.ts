import type { Fields } from './catalog'
import type { Changes, TestHistory } from './history'

/** Another system that mirrors a catalog by the rules of docs/mirroring.md. */
export class Mirror {
  readonly records = new Map<string, Fields>()
  revision = 0
  epoch: string | undefined

  constructor(readonly history: TestHistory) {}

  /** Reads to the end of the changes. @param between runs after each page except the last */
  async follow(limit = 1000, between = async () => {}): Promise<void> {
    let { epoch } = this
    let cursor: string | undefined
    let first: number | undefined
    do {
      const page: Changes = await this.history.changes({ since_revision: this.revision, limit, epoch, cursor })
      for (const { record } of page.items) this.records.set(record[this.history.catalog.idField] as string, record)
      first ??= page.revision
      epoch = page.epoch
      cursor = page.cursor ?? undefined
      if (cursor !== undefined) await between()
    } while (cursor !== undefined)
    this.revision = first
    this.epoch = epoch
  }

  /** Its records without the time of their change, in the form of `TestCatalog.contents`. */
  contents(): Map<string, Fields> {
    return new Map([...this.records].map(([id, { updated_at, ...fields }]) => [id, fields]))
  }
}
