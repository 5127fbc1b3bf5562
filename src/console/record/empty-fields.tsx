import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { countText } from '../wording'

interface EmptyFieldsProps {
  /** Fields without a value. */
  count: number
  /** Whether they have to be seen. */
  forced?: boolean
  children: ReactNode
}

/** Fields that have no value, behind a button that opens and folds them. */
export function EmptyFields({ count, forced = false, children }: EmptyFieldsProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  const isExpanded = isOpen || forced
  const Icon = isExpanded ? ChevronUp : ChevronDown
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isExpanded}
        aria-controls={id}
        rightSection={<Icon size={16} />}
        onClick={toggle}
      >
        {isExpanded ? 'Hide' : 'Show'} {countText(count, 'empty field', 'empty fields')}
      </Button>
      <Collapse expanded={isExpanded} id={id} pt="xs">
        {children}
      </Collapse>
    </div>
  )
}
