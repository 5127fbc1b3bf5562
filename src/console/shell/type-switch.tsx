import { SegmentedControl } from '@mantine/core'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { titleCase } from '../wording'

const TYPE_CHOICES = Object.values(recordTypes).map(({ name, plural }) => ({
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
    className="catalog-switch"
    withItemsBorders={false}
    aria-label="Catalog"
    orientation="vertical"
    fullWidth
    my="xs"
    data={TYPE_CHOICES}
    value={name}
    onChange={onChange}
  />
)
