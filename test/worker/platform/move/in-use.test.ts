import { describe, expect, it } from 'vitest'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { databaseOf, moveToTheEnd } from '../../../support/databases'

const versionOf = (record: Record<string, unknown>): number => Number(record.strength)

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Writers with one record each. Each knows its acknowledged writes and reads them back. */
class Use {
  /** The last version of each record that was acknowledged. */
  readonly written = new Map<string, number>()
  reads = 0
  #stopped = false
  readonly #catalog: TestCatalog

  constructor(catalog: TestCatalog) {
    this.#catalog = catalog
  }

  async #write(id: string): Promise<void> {
    for (let version = 1; !this.#stopped; ) {
      const answer = await this.#catalog.post([this.#catalog.record(id, { strength: `${version}` })])
      if (answer.status === 200) {
        this.written.set(id, version)
        version++
      } else {
        expect(answer.status, answer.text).toBe(503)
        expect(answer.headers.get('Retry-After')).toBe('5')
        await wait(10)
      }
    }
  }

  async #read(id: string): Promise<void> {
    for (; !this.#stopped; this.reads++) {
      const least = this.written.get(id)
      if (least !== undefined) expect(versionOf(await this.#catalog.get(id))).toBeGreaterThanOrEqual(least)
      else await this.#catalog.list({ limit: 1 })
    }
  }

  /** Writes and reads while something else goes on. */
  async during(work: () => Promise<unknown>): Promise<void> {
    const ids = ['w0', 'w1']
    const users = ids.flatMap((id) => [this.#write(id), this.#read(id)])
    try {
      await work()
    } finally {
      this.#stopped = true
      await Promise.all(users)
    }
  }
}

describe('moves of a workspace in use', () => {
  it('lose nothing, and show nobody anything older than what was acknowledged', async () => {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(100))
    const use = new Use(catalog)
    const { workspaceId } = catalog.workspace
    await use.during(async () => {
      for (const target of ['DB_2', 'DB']) await moveToTheEnd(workspaceId, target)
    })
    expect(await databaseOf(workspaceId)).toBe('DB')
    expect(use.reads).toBeGreaterThan(0)
    // Both writers got in, before the moves and after them.
    expect([...use.written.keys()].sort()).toEqual(['w0', 'w1'])
    for (const version of use.written.values()) expect(version).toBeGreaterThan(1)
    for (const [id, version] of use.written) expect(versionOf(await catalog.get(id))).toBe(version)
    const { total } = await catalog.list()
    expect(total).toBe(100 + use.written.size)
    const versions = [...use.written.values()].reduce((sum, version) => sum + version, 0)
    expect(await catalog.write([])).toMatchObject({ revision: 1 + versions, active_after: total })
  }, 120_000)
})
