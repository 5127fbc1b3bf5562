import { Paper, SimpleGrid, Text } from '@mantine/core'
import { numberText } from '../wording'
import { CHANGE_LABELS, CHANGES, countOf } from './changes'
import type { WriteResult } from './use-upload'

/** The counts of a write, or of what it would do. */
export function CountTiles({ counts }: { counts: WriteResult }) {
  const tiles = [
    ...CHANGES.map((change) => ({ label: CHANGE_LABELS[change], count: countOf(counts, change) })),
    { label: 'Unchanged', count: counts.unchanged },
  ]
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, sm: 5 }} spacing="sm" m={0}>
      {tiles.map(({ label, count }) => (
        <Paper key={label} withBorder p="sm" className="tile" data-empty={count === 0 || undefined}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={650} size="xl">
            {numberText(count)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
