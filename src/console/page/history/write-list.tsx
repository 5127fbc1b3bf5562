import type { RecordType } from '#records/record-type'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session'
import { ItemList } from '../shell/item-list'
import { restoreAddress, writeAddress } from './address'
import { WriteCard } from './write-card'
import { writeColumns } from './write-columns'
import { canUndo, isCurrent } from './write-text'

/** What is shown of a write besides what it says of itself. */
export interface WriteItemProps {
  /** Whether the catalog is as it left it. */
  isCurrent: (write: Write) => boolean
  addressOf: (write: Write) => string
  /** Undefined where this person cannot undo it. */
  undoAddressOf: (write: Write) => string | undefined
}

interface WriteListProps {
  type: RecordType
  writes: readonly Write[]
  /** Undefined until it is known. */
  status: CatalogStatus | undefined
}

/** A page of writes. */
export function WriteList({ type, writes, status }: WriteListProps) {
  const { can } = useSession()
  const isNewest = (write: Write) => status !== undefined && isCurrent(write, status)
  const props: WriteItemProps = {
    isCurrent: isNewest,
    addressOf: ({ batch_id }) => writeAddress(type, batch_id),
    undoAddressOf: (write) =>
      can('catalog:write') && status !== undefined && canUndo(write, status)
        ? restoreAddress(type, write.batch_id, 'undo')
        : undefined,
  }
  return (
    <ItemList
      name="history"
      items={writes}
      idOf={({ batch_id }) => batch_id}
      columns={writeColumns(props)}
      minWidth={940}
      horizontalSpacing={8}
      rowClassOf={(write) => (isNewest(write) ? 'latest' : undefined)}
      card={(write) => <WriteCard write={write} {...props} />}
    />
  )
}
