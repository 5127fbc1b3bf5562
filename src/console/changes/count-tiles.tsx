import { Box, SimpleGrid, Text } from '@mantine/core'
import { numberText } from '../wording'
import { type Counts, countOf, OUTCOME_COLORS, OUTCOME_LABELS, OUTCOMES } from './counts'

/** How many records had each outcome that there is. */
export function CountTiles({ counts }: { counts: Counts }) {
  const tiles = OUTCOMES.filter((outcome) => countOf(counts, outcome) > 0).map((outcome) => ({
    label: OUTCOME_LABELS[outcome],
    count: countOf(counts, outcome),
    color: OUTCOME_COLORS[outcome],
  }))
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, sm: 5 }} spacing="sm" m={0} className="tiles">
      {tiles.map(({ label, count, color }) => (
        <Box
          key={label}
          className="tile"
          __vars={{
            '--tile-color': `var(--mantine-color-${color}-filled)`,
          }}
        >
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" c={`var(--mantine-color-${color}-text)`}>
            {numberText(count)}
          </Text>
        </Box>
      ))}
    </SimpleGrid>
  )
}
