import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { RenamedId } from '#files/check/similar-ids'
import type { RecordType } from '#shared/records/record-type'
import { type Column, ItemList } from '../../widgets/item-table'
import { countText, numberText } from '../../wording'

interface RenamedNoticeProps {
  type: RecordType
  count: number
  renamed: readonly RenamedId[]
  /** Excludes rows; undefined for a whole catalog, from which no rows are excluded. */
  onLeaveOut: ((indexes: readonly number[]) => void) | undefined
  onAccept: () => void
}

/** Lists existing IDs that would get an unexpected name, because an ID may have been reused. */
export function RenamedNotice({ type, count, renamed, onLeaveOut, onAccept }: RenamedNoticeProps) {
  const isOne = count === 1
  const columns: readonly Column<RenamedId>[] = [
    { label: 'Row', cell: ({ row }) => numberText(row), className: 'row-cell' },
    { label: 'ID', cell: ({ id }) => id, isRowHeader: true, className: 'row-cell', translate: 'no' },
    { label: 'In the catalog', cell: ({ was }) => was, translate: 'no' },
    { label: 'In the file', cell: ({ name }) => name, translate: 'no' },
    ...(onLeaveOut === undefined
      ? []
      : [
          {
            label: 'Exclude',
            hidesLabel: true,
            cell: ({ index, row }: RenamedId) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Exclude row ${row}`}
                onClick={() => onLeaveOut([index])}
              >
                Exclude
              </Button>
            ),
            className: 'actions-cell',
          },
        ]),
  ]
  return (
    <Alert
      color="orange"
      icon={<TriangleAlert />}
      role="alert"
      title={`${countText(count, 'ID gets', 'IDs get')} an unexpected new name. Is it the same ${type.title}?`}
    >
      <Stack gap="sm">
        <Text size="sm">
          If not, one {type.title} would turn into another, and fields that are not in the file would keep the values of
          the old one. Give {isOne ? 'it its own ID' : 'them their own IDs'} in your spreadsheet
          {onLeaveOut === undefined ? '.' : `, and exclude ${isOne ? 'it' : 'them'} here.`}
        </Text>
        <ItemList
          name="IDs with another name"
          items={renamed}
          idOf={({ index }) => String(index)}
          columns={columns}
          minWidth={440}
          maxHeight={360}
          verticalSpacing={4}
        />
        {count > renamed.length && (
          <Text size="sm">These are the first {numberText(renamed.length)}. The next preview shows the others.</Text>
        )}
        <Group gap="xs">
          {onLeaveOut !== undefined && (
            <Button size="xs" onClick={() => onLeaveOut(renamed.map(({ index }) => index))}>
              No, exclude {isOne ? 'it' : `these ${numberText(renamed.length)}`}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onAccept}>
            Yes, the same: change the {isOne ? 'name' : 'names'}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
