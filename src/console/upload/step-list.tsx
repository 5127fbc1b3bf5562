import { Text } from '@mantine/core'
import { Check } from 'lucide-react'
import type { Stage } from './process/stage'

const STEPS = ['File', 'Columns', 'Review'] as const

/** The place of the last step. */
export const REVIEW = STEPS.length - 1

/** The place in `STEPS` of what the person has to do now; behind the last when all is done. */
export function stepOf(stage: Stage): number {
  switch (stage.is) {
    case 'empty':
    case 'reading':
    case 'unreadable':
      return 0
    case 'asking':
      return 1
    case 'faulty':
      return stage.errors.groups.some(({ ofFile }) => ofFile) ? 1 : REVIEW
    case 'written':
      return STEPS.length
    default:
      return REVIEW
  }
}

export function StepList({ stage }: { stage: Stage }) {
  const current = stepOf(stage)
  return (
    <ol className="plain-list step-list" aria-label="Steps">
      {STEPS.map((name, place) => (
        <li
          key={name}
          className="step"
          data-done={place < current || undefined}
          aria-current={place === current ? 'step' : undefined}
        >
          <span className="step-sign">
            {place < current ? <Check size={16} aria-label="Done" /> : place + 1}
          </span>
          <Text span inherit size="sm">
            {name}
          </Text>
        </li>
      ))}
    </ol>
  )
}
