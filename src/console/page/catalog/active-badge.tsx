import { Badge } from '@mantine/core'

export const ActiveBadge = ({ active }: { active: boolean }) => (
  <Badge variant="light" color={active ? 'teal' : 'gray'} tt="none" className="state-badge">
    {active ? 'Active' : 'Inactive'}
  </Badge>
)
