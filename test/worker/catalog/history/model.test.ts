import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newCatalog } from '../../../support/catalog'
import { Mirror } from '../../../support/mirror'
import { ModelledCatalog, operations } from './model'

describe('any sequence of writes and restores', () => {
  it('can be restored to each of its revisions, and versions and search agree with it', async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const catalog = await newCatalog()
        const modelled = new ModelledCatalog(catalog)
        for (const operation of sequence) {
          await modelled.apply(operation)
          expect(await modelled.stored()).toEqual(modelled.state)
          expect((await modelled.history.status()).revision).toBe(modelled.revision)
        }
        for (let revision = modelled.revision; revision >= 0; revision--) {
          const expected = modelled.restored(revision)
          const before = modelled.state
          const dry = await modelled.history.restore(revision, { dry_run: true, confirm_shrink: true })
          await modelled.restore(revision)
          expect(await modelled.stored()).toEqual(expected)
          const changed = [...expected].filter(([id, now]) => JSON.stringify(before.get(id)) !== JSON.stringify(now))
          expect(dry.total).toBe(changed.length)
          if (changed.length > 0) expect(await modelled.history.lastChanges()).toHaveLength(changed.length)
        }
        const found = await catalog.ids({ q: 'alpha', show_inactive: 1 })
        const named = [...modelled.state].filter(([, { name }]) => name === 'alpha').map(([id]) => id)
        expect(found.sort()).toEqual(named.sort())
      }),
      { numRuns: 6 },
    )
  }, 60_000)

  it('is followed by a mirror that neither misses nor invents records while writers run', async () => {
    await fc.assert(
      fc.asyncProperty(operations, operations, async (first, meanwhile) => {
        const catalog = await newCatalog()
        const modelled = new ModelledCatalog(catalog)
        const mirror = new Mirror(modelled.history)
        for (const operation of first) await modelled.apply(operation)
        const waiting = [...meanwhile]
        await mirror.follow(2, async () => {
          const operation = waiting.shift()
          if (operation) await modelled.apply(operation)
        })
        expect(mirror.contents()).toEqual(await catalog.contents())
        for (const operation of waiting) await modelled.apply(operation)
        await mirror.follow(2)
        expect(mirror.contents()).toEqual(await catalog.contents())
      }),
      { numRuns: 6 },
    )
  }, 60_000)
})
