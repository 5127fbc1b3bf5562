import { SegmentedControl } from '@mantine/core'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { titleCase } from '../wording'

const CHOICES = Object.values(recordTypes).map(({ name, plural }) => ({
  value: name,
  label: titleCase(plural),
}))

interface TypeSwitchProps {
  name: RecordTypeName
  onChange: (name: RecordTypeName) => void
}

/** Which of the four catalogs the pages of the navigation are about. */
export const TypeSwitch = ({ name, onChange }: TypeSwitchProps) => (
  <SegmentedControl
    className="type-switch"
    aria-label="Catalog"
    orientation="vertical"
    fullWidth
    my="xs"
    data={CHOICES}
    value={name}
    onChange={onChange}
  />
)
