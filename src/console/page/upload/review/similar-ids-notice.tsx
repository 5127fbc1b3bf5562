import { Alert, Checkbox, List, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { SimilarId } from '#import/check/similar-ids'
import type { RecordType } from '#records/record-type'
import { countText, numberText } from '../../wording'
import type { Comparison } from '../process/stage'

const SHOWN = 8

const DIFFERENCES: Readonly<Record<SimilarId['difference'], string>> = {
  zeros: 'without its zeros, or with others',
  case: 'in other upper or lower case',
  shortened: 'in full, before a spreadsheet shortened it',
}

interface SimilarIdsNoticeProps {
  type: RecordType
  similar: Comparison
  accepted: boolean
  onAccept: (accepted: boolean) => void
}

/** Names new ids that resemble ids of the catalog, before they become second records of the same things. */
export function SimilarIdsNotice({ type, similar, accepted, onAccept }: SimilarIdsNoticeProps) {
  if (similar === 'comparing') {
    return (
      <Text size="sm" c="dimmed" role="status">
        Comparing new ids with those of the catalog…
      </Text>
    )
  }
  if (similar === 'unknown') {
    return (
      <Alert color="yellow" icon={<TriangleAlert />} title="New ids were not compared">
        The ids of the catalog could not be loaded. Check that new ids do not differ from yours only by zeros
        in front or by upper and lower case.
      </Alert>
    )
  }
  if (similar.length === 0) return null
  return (
    <Alert
      color="orange"
      icon={<TriangleAlert />}
      role="alert"
      title={`${countText(similar.length, 'new id looks', 'new ids look')} like ${similar.length === 1 ? 'one' : 'ids'} of your catalog`}
    >
      <Stack gap="sm">
        <Text size="sm">
          A spreadsheet may have changed {similar.length === 1 ? 'it' : 'them'}. They would be added as new{' '}
          {type.plural}, beside those that you have.
        </Text>
        <List size="sm">
          {similar.slice(0, SHOWN).map(({ id, known, difference }) => (
            <List.Item key={id} className="breakable">
              “{id}” is in your catalog as “{known}”: {DIFFERENCES[difference]}
            </List.Item>
          ))}
          {similar.length > SHOWN && <List.Item>and {numberText(similar.length - SHOWN)} more</List.Item>}
        </List>
        <Checkbox
          label={`They are other ${type.plural}: add them as new`}
          checked={accepted}
          onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
        />
      </Stack>
    </Alert>
  )
}
