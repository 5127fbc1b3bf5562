import { Button } from '@mantine/core'
import type { ErrorGroup } from '#files/check/row-errors'
import { yesAndNoIn } from '#files/columns/yes-no'
import type { Field } from '#shared/records/record-type'
import type { GroupActions } from './group-fix'

interface YesNoFixProps extends Pick<GroupActions, 'onSetEach'> {
  field: Field
  group: ErrorGroup
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')

/** `“Ja” means yes`; nothing for no words. */
const meaning = (words: readonly string[], value: string): string[] =>
  words.length === 0 ? [] : [`${quoted(words)} ${words.length === 1 ? 'means' : 'mean'} ${value}`]

/** Sets all values of a group that are yes or no in another language, or signs for it, with one click. */
export function YesNoFix({ field, group, onSetEach }: YesNoFixProps) {
  const found = yesAndNoIn(group.values.map(({ value }) => value))
  if (found === undefined) return null
  const { yes, no } = found
  const texts = new Map([
    ...yes.map((word) => [word, 'yes'] as const),
    ...no.map((word) => [word, 'no'] as const),
  ])
  return (
    <Button
      size="xs"
      className="wrapping-button"
      style={{ alignSelf: 'flex-start' }}
      onClick={() => onSetEach(group.key, field.name, texts)}
    >
      {[...meaning(yes, 'yes'), ...meaning(no, 'no')].join(', ')}
    </Button>
  )
}
