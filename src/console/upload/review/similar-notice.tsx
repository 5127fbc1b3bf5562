import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { TriangleAlert, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { SimilarId } from '#files/check/similar-ids'
import type { RecordType } from '#shared/records/record-type'
import { countText, nameAmbiguous, numberText } from '../../wording'

const IDS_SHOWN = 20

interface SimilarNoticeProps {
  type: RecordType
  count: number
  similar: readonly SimilarId[]
  onCorrect: (similar: readonly SimilarId[]) => void
  /** Excludes one of two rows for the same record. */
  onLeaveOut: (indexes: readonly number[]) => void
  isAccepted: boolean
  onAccept: (isAccepted: boolean) => void
}

/** Lists new IDs that resemble others, so that no record is added twice, and offers to correct them. */
export function SimilarNotice(props: SimilarNoticeProps) {
  const { type, count, similar, onCorrect, onLeaveOut, isAccepted, onAccept } = props
  const [exceptions, setExceptions] = useState<ReadonlySet<number>>(new Set())
  const correctable = similar.filter(({ otherRow }) => otherRow === undefined)
  const pairs = similar.filter(({ otherRow }) => otherRow !== undefined)
  const correctedIds = correctable.filter(({ index }) => !exceptions.has(index))
  const isOne = count === 1
  const further = correctable.length - Math.min(correctable.length, IDS_SHOWN)
  const choose = (index: number, isChosen: boolean) =>
    setExceptions((before) => new Set(isChosen ? [...before].filter((one) => one !== index) : [...before, index]))
  return (
    <Alert
      color="orange"
      icon={<TriangleAlert />}
      role="alert"
      title={`${countText(count, 'new ID looks', 'new IDs look')} like ${isOne ? 'another one' : 'others'}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          {isOne ? 'It differs' : 'They differ'} only in zeros, capital letters, spaces, dashes or invisible characters.
          If you change nothing, {isOne ? 'it is added as another' : 'they are added as other'}{' '}
          {isOne ? type.title : type.plural}.
        </Text>
        <Stack gap={6}>
          {correctable.slice(0, IDS_SHOWN).map(({ index, row, id, name, similarTo }) => (
            <Checkbox
              key={index}
              size="sm"
              label={`Row ${row}, ${name}: ${nameAmbiguous(id)} → ${nameAmbiguous(similarTo)}`}
              checked={!exceptions.has(index)}
              onChange={({ currentTarget: { checked } }) => choose(index, checked)}
            />
          ))}
        </Stack>
        {further > 0 && <Text size="sm">and {numberText(further)} more, which would be corrected too.</Text>}
        {count > similar.length && (
          <Text size="sm">These are the first {numberText(similar.length)}. The next preview shows the others.</Text>
        )}
        {pairs.slice(0, IDS_SHOWN).map((one) => (
          <SimilarRows key={one.index} type={type} similar={one} onLeaveOut={onLeaveOut} />
        ))}
        {pairs.length > IDS_SHOWN && (
          <Text size="sm">and {numberText(pairs.length - IDS_SHOWN)} more pairs of rows</Text>
        )}
        <Group>
          {correctedIds.length > 0 && (
            <Button size="xs" leftSection={<Wrench size={14} />} onClick={() => onCorrect(correctedIds)}>
              {correctedIds.length === 1
                ? 'Use the catalog’s ID'
                : `Use the catalog’s IDs for ${numberText(correctedIds.length)} rows`}
            </Button>
          )}
          <Checkbox
            label={`These are different ${type.plural}: add them`}
            checked={isAccepted}
            onChange={({ currentTarget: { checked } }) => onAccept(checked)}
          />
        </Group>
      </Stack>
    </Alert>
  )
}

interface SimilarRowsProps extends Pick<SimilarNoticeProps, 'type' | 'onLeaveOut'> {
  similar: SimilarId
}

function SimilarRows({ type, similar: { index, row, id, name, similarTo, otherRow }, onLeaveOut }: SimilarRowsProps) {
  if (otherRow === undefined) return null
  return (
    <Group gap="xs">
      <Text size="sm" className="breakable">
        Row {row}, {name}: {nameAmbiguous(id)}. Row {otherRow.row}: {nameAmbiguous(similarTo)}. The same {type.title}?
      </Text>
      <Button size="compact-xs" variant="default" onClick={() => onLeaveOut([otherRow.index])}>
        Yes, keep row {row}
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => onLeaveOut([index])}>
        Yes, keep row {otherRow.row}
      </Button>
    </Group>
  )
}
