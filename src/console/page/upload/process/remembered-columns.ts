import type { Mapping } from '#import/columns/columns'
import { remembered } from '../../remembered'
import type { Login } from '../../service/access'

/** Where a person has sent the columns of earlier files. */
export interface ColumnMemory {
  read(): Mapping
  write(mapping: Mapping): void
}

export const NO_MEMORY: ColumnMemory = { read: () => ({}), write: () => undefined }

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((field) => field === null || typeof field === 'string')

/** The memory of this browser, for each workspace and catalog. It has headers and names of fields, and no values. */
export function columnMemory({ workspace_id }: Login, type: string): ColumnMemory {
  const text = remembered(`catalog-console-columns ${workspace_id} ${type}`)
  return {
    read() {
      try {
        const value: unknown = JSON.parse(text.read() ?? '{}')
        return isMapping(value) ? value : {}
      } catch {
        // Something else under this key.
        return {}
      }
    },
    write: (mapping) => text.write(JSON.stringify(mapping)),
  }
}
