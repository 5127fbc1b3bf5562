import { headerKey, type Targets } from '#files/columns/columns'
import type { Login } from '../../service/login'
import { textStore } from '../../text-store'

/** Where columns went, for each header row by `headerKey`; the newest last. */
type ColumnRows = Readonly<Record<string, Targets>>

/** Remembers where the columns of files went that were written. */
export interface ColumnMemory {
  read(): ColumnRows
  remember(header: readonly string[], targets: Targets): void
  forget(header: readonly string[]): void
}

const MOST_ROWS = 30

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isTarget = (value: unknown): value is Targets[number] =>
  value === null || (isObject(value) && 'field' in value && (value.field === null || typeof value.field === 'string'))

const areTargets = (value: unknown): value is Targets => Array.isArray(value) && value.every(isTarget)

/** What is remembered. A text that something else has written or damaged is as good as none. */
function rowsIn(text: string | null): [string, Targets][] {
  try {
    const rows: unknown = JSON.parse(text ?? '{}')
    return isObject(rows) ? Object.entries(rows).filter((row): row is [string, Targets] => areTargets(row[1])) : []
  } catch {
    return []
  }
}

/** The memory of this browser, for each workspace and catalog. It has headers and names of fields, and no values. */
export function columnMemory({ workspace_id }: Login, type: string): ColumnMemory {
  const store = textStore(`catalog-console-columns ${workspace_id} ${type}`)
  const write = (rows: [string, Targets][]) => store.write(JSON.stringify(Object.fromEntries(rows.slice(-MOST_ROWS))))
  const without = (header: readonly string[]) => rowsIn(store.read()).filter(([key]) => key !== headerKey(header))
  return {
    read: () => Object.fromEntries(rowsIn(store.read())),
    remember: (header, targets) => write([...without(header), [headerKey(header), targets]]),
    forget: (header) => write(without(header)),
  }
}
