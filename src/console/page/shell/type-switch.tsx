import { SegmentedControl } from '@mantine/core'
import { useLocation } from 'wouter'
import type { RecordType } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { titleCase } from '../wording'

const CHOICES = Object.values(recordTypes).map(({ name, plural }) => ({
  value: name,
  label: titleCase(plural),
}))

/** Which of the four catalogs is shown; the same page of another one is at an address of its own. */
export function TypeSwitch({
  type,
  page,
  disabled = false,
}: {
  type: RecordType
  page: string
  disabled?: boolean
}) {
  const [, navigate] = useLocation()
  return (
    <SegmentedControl
      className="type-switch"
      aria-label="Catalog"
      data={CHOICES}
      value={type.name}
      disabled={disabled}
      onChange={(name) => navigate(`/${name}/${page}`)}
    />
  )
}
