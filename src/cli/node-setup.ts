import { setFlagsFromString } from 'node:v8'

/** Engine settings, and language features that Node 20 lacks. This module must be imported first. */

// In Node 24, an .ods workbook of 44,000 rows then uses 430 MB instead of 640, but takes up to 50% longer.
setFlagsFromString('--optimize-for-size')

if (!('groupBy' in Map)) {
  Object.defineProperty(Map, 'groupBy', {
    value: <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> => {
      const groups = new Map<K, T[]>()
      let index = 0
      for (const item of items) {
        const key = keyOf(item, index++)
        const group = groups.get(key)
        if (group === undefined) groups.set(key, [item])
        else group.push(item)
      }
      return groups
    },
  })
}
