import { Badge } from '@mantine/core'

/** Says that a record is inactive; the others need no word. */
export const InactiveBadge = ({ active }: { active: boolean }) =>
  active ? null : (
    <Badge variant="light" color="gray" tt="none" className="state-badge">
      Inactive
    </Badge>
  )
