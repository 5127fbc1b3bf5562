import { Badge } from '@mantine/core'
import type { ChangeKind } from '#shared/records/change'
import { OUTCOME_LOOKS } from './change-texts'

export const ChangeBadge = ({ change }: { change: ChangeKind }) => (
  <Badge color={OUTCOME_LOOKS[change].color}>{OUTCOME_LOOKS[change].label}</Badge>
)
