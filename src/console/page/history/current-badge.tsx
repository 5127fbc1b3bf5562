import { Badge } from '@mantine/core'

export const CurrentBadge = () => (
  <Badge size="sm" tt="none" className="state-badge">
    Current
  </Badge>
)
