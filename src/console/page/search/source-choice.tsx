import { SegmentedControl } from '@mantine/core'
import type { SearchSource } from '../service/answers'

/** Where a trial looks: where partners do now, or in one of the two catalogs whatever the switch says. */
export type TrialSource = SearchSource | 'partners'

const CHOICES: readonly { value: TrialSource; label: string }[] = [
  { value: 'partners', label: 'As partners now' },
  { value: 'workspace', label: 'Own catalog' },
  { value: 'provider', label: "Provider's" },
]

interface SourceChoiceProps {
  source: TrialSource
  onChange: (source: TrialSource) => void
}

/** Which catalog is tried. Partners notice nothing of it. */
export const SourceChoice = ({ source, onChange }: SourceChoiceProps) => (
  <SegmentedControl
    className="type-switch"
    aria-label="Where to search"
    data={CHOICES.map((choice) => ({ ...choice }))}
    value={source}
    onChange={onChange}
  />
)
