import { Badge } from '@mantine/core'
import type { Change } from '#shared/records/change'
import { OUTCOME_COLORS, OUTCOME_LABELS } from '../changes/counts'

export const ChangeBadge = ({ change }: { change: Change }) => (
  <Badge variant="light" color={OUTCOME_COLORS[change]} tt="none" className="state-badge">
    {OUTCOME_LABELS[change]}
  </Badge>
)
