import { Group, Pagination, Text } from '@mantine/core'
import { numberText } from '../wording'
import { useNarrow } from './hooks'
import { ItemList, type ItemTableProps } from './item-table'
import type { usePages } from './use-pages'

/** A page of a list, as the service returns it. */
export interface ListPage<Item> {
  items: readonly Item[]
  offset: number
  count: number
  total: number
}

interface PagerProps {
  /** The name of the items, plural: `records`. */
  items: string
  /** The page number in the URL, from 1. */
  page: number
  size: number
  /** The shown page: the previous page while the next one loads. */
  part: Omit<ListPage<unknown>, 'items'>
  onPage: (page: number) => void
}

const CONTROLS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const

/** Says which part of a list is shown, with links to the other parts. */
function Pager({ items, page, size, part, onPage }: PagerProps) {
  const narrow = useNarrow()
  const { offset, count, total } = part
  return (
    <Group component="nav" aria-label={`Pages of ${items}`} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {numberText(offset + 1)} to {numberText(offset + count)} of {numberText(total)}
      </Text>
      <Pagination
        size="sm"
        gap={narrow ? 4 : 8}
        siblings={narrow ? 0 : 1}
        total={Math.ceil(total / size)}
        value={page}
        onChange={(number) => {
          onPage(number)
          window.scrollTo({ top: 0 })
        }}
        hideWithOnePage
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
      />
    </Group>
  )
}

interface PagedListProps<Item> extends Omit<ItemTableProps<Item>, 'items'> {
  shown: ListPage<Item>
  pager: ReturnType<typeof usePages>['pager']
}

/** The items of the current page and a pager; nothing if there are none. */
export const PagedList = <Item,>({ shown, pager, ...list }: PagedListProps<Item>) =>
  shown.items.length > 0 && (
    <>
      <ItemList {...list} items={shown.items} />
      <Pager {...pager} items={list.name} part={shown} />
    </>
  )
