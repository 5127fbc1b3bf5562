import { Group, UnstyledButton } from '@mantine/core'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'

interface SortButtonProps {
  label: string
  /** How the table is sorted by this column; undefined where it is not. */
  direction: 'ascending' | 'descending' | undefined
  onClick: () => void
}

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }

export function SortButton({ label, direction, onClick }: SortButtonProps) {
  const Icon = ICONS[direction ?? 'none']
  return (
    <UnstyledButton onClick={onClick} fw="inherit" fz="inherit">
      <Group gap={4} wrap="nowrap" component="span">
        {label}
        <Icon size={14} />
      </Group>
    </UnstyledButton>
  )
}
