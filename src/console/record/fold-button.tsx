import { Button } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { countText } from '../wording'

interface FoldButtonProps {
  /** Fields without a value. */
  count: number
  opened: boolean
  /** Id of what it folds. */
  controls: string
  onToggle: () => void
}

/** Opens and folds the fields that have no value. */
export function FoldButton({ count, opened, controls, onToggle }: FoldButtonProps) {
  const Icon = opened ? ChevronUp : ChevronDown
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-expanded={opened}
      aria-controls={controls}
      rightSection={<Icon size={16} />}
      onClick={onToggle}
    >
      {opened ? 'Hide' : 'Show'} {countText(count, 'empty field', 'empty fields')}
    </Button>
  )
}
