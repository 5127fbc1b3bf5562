import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { ErrorChoice } from '#files/check/error-choice'
import type { Pattern, PatternEffect } from '#files/fix/patterns'
import type { Field, StringField } from '#shared/records/record-type'
import { countText, numberText } from '../../wording'
import type { UploadProcess } from '../process/upload-process'
import { useAnswer } from './grid-rows'

/** Pause in typing, in milliseconds, after which the input is applied. */
export const TYPING_MS = 200

/** Changes rows. */
export type ChangeRows = (run: Parameters<UploadProcess['fix']>[0]) => void

interface PatternFixProps {
  upload: UploadProcess
  onChange: ChangeRows
  field: Field
  choice: ErrorChoice
  errors: number
}

const PATTERNS: Readonly<Record<string, { label: string; pattern: Pattern }>> = {
  trim: { label: 'Remove extra spaces', pattern: { is: 'trim' } },
  replace: { label: 'Find and replace', pattern: { is: 'replace', from: '', to: '' } },
}

/** Changes many values with one pattern, and shows the effect first. */
export function PatternFix({ upload, onChange, field, choice, errors }: PatternFixProps) {
  const [kind, setKind] = useState('')
  const [pattern, setPattern] = useState<Pattern>()
  const [delayedPattern] = useDebouncedValue(pattern, TYPING_MS)
  const effect = useAnswer(upload, ['effect', delayedPattern ?? null, choice, errors], async () =>
    delayedPattern === undefined ? null : upload.work.effectOf(choice, field.name, delayedPattern),
  )
  const choose = (name: string) => {
    setKind(name)
    setPattern(PATTERNS[name]?.pattern)
  }
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Change all of them"
        size="xs"
        value={kind}
        data={[
          { value: '', label: 'Choose…' },
          ...Object.entries(PATTERNS).map(([value, { label }]) => ({ value, label })),
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {pattern?.is === 'replace' && <ReplaceInputs pattern={pattern} onChange={setPattern} />}
      {effect && pattern !== undefined && (
        <>
          <Effect effect={effect} />
          <Button
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            disabled={effect.rows === 0 || delayedPattern !== pattern}
            onClick={() => onChange((work) => work.change(choice, field.name, pattern))}
          >
            Change {countText(effect.rows, 'row', 'rows')}
          </Button>
        </>
      )}
    </Stack>
  )
}

interface TooLongFixProps extends PatternFixProps {
  field: StringField
}

/** Fixes for values that are too long, each with examples. */
export function TooLongFix({ upload, onChange, field, choice, errors }: TooLongFixProps) {
  const { name, maxLength } = field
  const pattern: Pattern = { is: 'shorten', to: maxLength }
  const moving = useAnswer(upload, ['move to name', choice, errors], async () =>
    upload.work.effectOfMoving(choice, name),
  )
  const shortening = useAnswer(upload, ['shorten', choice, errors], async () =>
    upload.work.effectOf(choice, name, pattern),
  )
  const fix = (effect: PatternEffect | undefined, count: number, label: string, run: Parameters<ChangeRows>[0]) =>
    effect !== undefined &&
    count > 0 && (
      <>
        <Examples effect={effect} />
        <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => onChange(run)}>
          {label.replace('…', count === 1 ? 'it' : numberText(count))}
        </Button>
      </>
    )
  return (
    <>
      {fix(moving, moving?.valid ?? 0, 'Keep … in the name', (work) => work.moveToName(choice, name))}
      {fix(shortening, shortening?.rows ?? 0, `Shorten … to ${maxLength} characters`, (work) =>
        work.change(choice, name, pattern),
      )}
    </>
  )
}

interface ReplaceInputsProps {
  pattern: Pattern & { is: 'replace' }
  onChange: (pattern: Pattern) => void
}

function ReplaceInputs({ pattern, onChange }: ReplaceInputsProps) {
  const input = (label: string, value: string, change: (value: string) => Pattern) => (
    <TextInput
      label={label}
      size="xs"
      flex="1 1 110px"
      value={value}
      onChange={({ currentTarget }) => onChange(change(currentTarget.value))}
    />
  )
  return (
    <Group gap="xs">
      {input('Find', pattern.from, (from) => ({ ...pattern, from }))}
      {input('Replace with', pattern.to, (to) => ({ ...pattern, to }))}
    </Group>
  )
}

function Effect({ effect }: { effect: PatternEffect }) {
  const { rows, valid } = effect
  if (rows === 0) {
    return (
      <Text size="sm" role="status">
        This changes nothing yet.
      </Text>
    )
  }
  return (
    <>
      <Text size="sm" role="status">
        {valid === rows ? 'All of them would be valid.' : `${numberText(valid)} of them would be valid.`}
      </Text>
      <Examples effect={effect} />
    </>
  )
}

const Examples = ({ effect: { examples } }: { effect: PatternEffect }) => (
  <Text component="ul" size="sm" className="plain-list difference">
    {examples.map(({ before, after, isValid }) => (
      <li key={before} className="breakable">
        <del translate="no">{before}</del> → <ins translate="no">{after || '(empty)'}</ins>
        {!isValid && ' (not valid)'}
      </li>
    ))}
  </Text>
)
