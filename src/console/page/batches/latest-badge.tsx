import { Badge } from '@mantine/core'

export const LatestBadge = () => (
  <Badge size="sm" tt="none" className="state-badge">
    Latest
  </Badge>
)
