import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { typedKey } from '#files/cells/cell-choices'
import type { OddCell } from '#files/workbook/sheet-cells'
import { type Column, ItemTable } from '../../widgets/item-table'
import { numberText } from '../../wording'

interface TypedCellsProps {
  cells: readonly OddCell[]
  /** Of the field. */
  name: string
  /** What was typed before. */
  typed: ReadonlyMap<string, string> | undefined
  disabled: boolean
  onWrite: (texts: ReadonlyMap<string, string>) => void
}

/** Cells that hold the same, and get the same text. */
interface Alike {
  key: string
  first: OddCell
  count: number
}

/** Texts that a person may type here; more are corrected faster in the spreadsheet. */
const MOST_TEXTS = 200

export const canBeTyped = (cells: readonly OddCell[]): boolean =>
  new Set(cells.map(typedKey)).size <= MOST_TEXTS

const alikeIn = (cells: readonly OddCell[]): Alike[] =>
  [...Map.groupBy(cells, typedKey)].flatMap(([key, found]) =>
    found[0] === undefined ? [] : [{ key, first: found[0], count: found.length }],
  )

const alikeRowsText = ({ first, count }: Alike): string =>
  `${numberText(first.row + 1)}${count > 1 ? ` and ${numberText(count - 1)} more` : ''}`

/** The texts that a spreadsheet has lost, typed again by the person. */
export function TypedCells({ cells, name, typed, disabled, onWrite }: TypedCellsProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(typed ?? new Map())
  const alike = alikeIn(cells)
  const open = alike.filter(({ key }) => (texts.get(key) ?? '').trim() === '').length
  const columns: readonly Column<Alike>[] = [
    { label: 'Row', cell: alikeRowsText, isRowHeader: true, className: 'row-cell' },
    { label: 'Shows', cell: ({ first }) => first.shown || '—' },
    {
      label: 'Is written',
      cell: ({ key, first }) => (
        <TextInput
          size="xs"
          aria-label={`${name} in row ${first.row + 1}`}
          value={texts.get(key) ?? ''}
          disabled={disabled}
          onChange={({ currentTarget: { value } }) =>
            setTexts((before) => new Map([...before, [key, value]]))
          }
        />
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <ItemTable
        name={`texts to type for ${name}`}
        items={alike}
        idOf={({ key }) => key}
        columns={columns}
        minWidth={300}
        maxHeight={320}
        verticalSpacing={4}
      />
      <Button
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        disabled={disabled || open > 0}
        onClick={() => onWrite(new Map([...texts].map(([key, text]) => [key, text.trim()])))}
      >
        Write these
      </Button>
      {open > 0 && (
        <Text size="sm" c="dimmed">
          {numberText(open)} still to type
        </Text>
      )}
    </Stack>
  )
}
