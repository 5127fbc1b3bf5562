import { Paper, SimpleGrid, Text } from '@mantine/core'
import { type Counts, countOf, OUTCOME_COLORS, OUTCOME_LABELS, OUTCOMES } from '../counts'
import { numberText } from '../wording'

/** The counts of a write, or of what it would do. */
export function CountTiles({ counts }: { counts: Counts }) {
  const tiles = OUTCOMES.map((outcome) => ({
    label: OUTCOME_LABELS[outcome],
    count: countOf(counts, outcome),
    color: OUTCOME_COLORS[outcome],
  }))
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, sm: 5 }} spacing="sm" m={0}>
      {tiles.map(({ label, count, color }) => (
        <Paper key={label} withBorder p="sm" className="tile" data-empty={count === 0 || undefined}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text
            component="dd"
            m={0}
            fw={650}
            size="xl"
            c={count === 0 ? 'dimmed' : `var(--mantine-color-${color}-text)`}
          >
            {numberText(count)}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
