import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { linesOf } from '../lines'
import { type FieldInputProps, inputProps } from './field-input-props'
import { KeptValue } from './kept-value'

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
        onChange(linesOf(currentTarget.value))
      }}
    />
  )
}
