import { Badge } from '@mantine/core'
import type { Change } from '#shared/records/change'
import { OUTCOME_LOOKS } from './change-texts'

export const ChangeBadge = ({ change }: { change: Change }) => (
  <Badge color={OUTCOME_LOOKS[change].color}>{OUTCOME_LOOKS[change].label}</Badge>
)
