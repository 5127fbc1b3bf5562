import { Alert, Button, Checkbox, Group, List, Stack, Text } from '@mantine/core'
import { TriangleAlert, Wrench } from 'lucide-react'
import { useState } from 'react'
import type { AlikeId } from '#files/check/alike-ids'
import type { RecordType } from '#shared/records/record-type'
import { countText, numberText } from '../../wording'

/** Ids that can be chosen one by one. */
const ALIKE_SHOWN = 20

interface AlikeNoticeProps {
  type: RecordType
  /** How many there are, and the first of them. */
  count: number
  alike: readonly AlikeId[]
  onCorrect: (alike: readonly AlikeId[]) => void
  accepted: boolean
  onAccept: (accepted: boolean) => void
}

/** What cannot be seen in an id, or looks like a space or a hyphen. */
const UNSEEN = /[\p{C}\p{Z}]|(?!-)\p{Pd}/gu

/** An id as it can be told from another one: `A⟨U+200B⟩1`. */
export const seenId = (id: string): string =>
  id.replace(UNSEEN, (character) =>
    character === ' ' ? '␣' : `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  )

/** Names new ids that resemble others before they become second records of the same things, and corrects them. */
export function AlikeNotice({ type, count, alike, onCorrect, accepted, onAccept }: AlikeNoticeProps) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const correctable = alike.filter(({ isInFile }) => !isInFile)
  const chosen = correctable.filter(({ index }) => !left.has(index))
  const isOne = count === 1
  const further = correctable.length - Math.min(correctable.length, ALIKE_SHOWN)
  const choose = (index: number, isChosen: boolean) =>
    setLeft((before) => new Set(isChosen ? [...before].filter((one) => one !== index) : [...before, index]))
  return (
    <Alert
      color="orange"
      icon={<TriangleAlert />}
      role="alert"
      title={`${countText(count, 'new id looks', 'new ids look')} like ${isOne ? 'another one' : 'others'}`}
    >
      <Stack gap="sm">
        <Text size="sm">
          {isOne ? 'It differs' : 'They differ'} only by zeros, case, spaces, dashes or characters that cannot
          be seen. As {isOne ? 'it is, it' : 'they are, they'} would be added as new {type.plural} beside
          those.
        </Text>
        <Stack gap={6}>
          {correctable.slice(0, ALIKE_SHOWN).map(({ index, row, id, similarTo }) => (
            <Checkbox
              key={index}
              size="sm"
              label={`Row ${row}: ${seenId(id)} → ${seenId(similarTo)}`}
              checked={!left.has(index)}
              onChange={({ currentTarget: { checked } }) => choose(index, checked)}
            />
          ))}
        </Stack>
        {further > 0 && <Text size="sm">and {numberText(further)} more, which are corrected too.</Text>}
        {count > alike.length && (
          <Text size="sm">
            These are the first {numberText(alike.length)}. The next preview shows those behind them.
          </Text>
        )}
        <InFile alike={alike.filter(({ isInFile }) => isInFile)} />
        <Group>
          {chosen.length > 0 && (
            <Button size="xs" leftSection={<Wrench size={14} />} onClick={() => onCorrect(chosen)}>
              {chosen.length === 1
                ? 'Use the catalog’s id'
                : `Use the catalog’s ids for ${numberText(chosen.length)} rows`}
            </Button>
          )}
          <Checkbox
            label={`They are other ${type.plural}: add them as new`}
            checked={accepted}
            onChange={({ currentTarget: { checked } }) => onAccept(checked)}
          />
        </Group>
      </Stack>
    </Alert>
  )
}

/** Ids that resemble another one of the same file: two rows cannot have one id. */
function InFile({ alike }: { alike: readonly AlikeId[] }) {
  if (alike.length === 0) return null
  return (
    <List size="sm">
      {alike.slice(0, ALIKE_SHOWN).map(({ index, row, id, similarTo }) => (
        <List.Item key={index} className="breakable">
          Row {row}: {seenId(id)}. Another row of the file is {seenId(similarTo)}.
        </List.Item>
      ))}
      {alike.length > ALIKE_SHOWN && <List.Item>and {numberText(alike.length - ALIKE_SHOWN)} more</List.Item>}
    </List>
  )
}
