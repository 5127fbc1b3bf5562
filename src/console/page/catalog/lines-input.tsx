import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { type FieldInputProps, inputProps } from './field-input'
import { KeptValue } from './kept-value'

const itemsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * A list, one item per line: it can be put in another order, and pasted from the column of a spreadsheet.
 */
export function LinesInput(props: FieldInputProps) {
  const { value, onChange } = props
  const items = Array.isArray(value) ? (value as string[]) : []
  // What is typed, with the lines that are still empty.
  const [text, setText] = useState(items.join('\n'))
  const [isSplit] = useState(() => items.some((item) => /[\r\n]/.test(item)))
  if (isSplit) return <KeptValue {...props} />
  const given = inputProps(props)
  return (
    <Textarea
      {...given}
      description={[given.description, 'One per line.'].join(' ').trim()}
      autosize
      minRows={2}
      maxRows={8}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(itemsOf(currentTarget.value))
      }}
    />
  )
}
