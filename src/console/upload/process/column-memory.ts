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

/** How many header rows are remembered. */
const MOST_ROWS = 30

const rowsIn = (text: string | null): [string, Targets][] => Object.entries(JSON.parse(text ?? '{}') as ColumnRows)

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
