import { Group, Pagination, Text } from '@mantine/core'
import { numberText } from '../wording'
import { useNarrow } from './hooks'

interface PagerProps {
  /** What is counted: `records`. */
  items: string
  /** The page that the address names, from 1. */
  page: number
  size: number
  /** What is shown: the page before, while the next one loads. */
  part: { offset: number; count: number; total: number }
  onPage: (page: number) => void
}

const CONTROLS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const

/** Says which part of a list is shown, and leads to the others. */
export function Pager({ items, page, size, part, onPage }: PagerProps) {
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
