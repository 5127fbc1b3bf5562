import { Alert, Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Info, TriangleAlert } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { FileSummary } from '#files/file-summary'
import { PROBLEM_CODES } from '#shared/records/problem-codes'
import type { RecordType } from '#shared/records/record-type'
import { type Column, ItemList } from '../../widgets/item-table'
import { Loading } from '../../widgets/query-result'
import { countText, fieldLabel, fieldWord, numberText } from '../../wording'
import { inWords } from '../fix/field-hints'
import { useAnswer } from '../fix/grid-rows'
import type { Check } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { nearestForms } from './nearest-forms'

type Warning = Check['warnings'][number]

interface WarningsProps {
  type: RecordType
  upload: UploadProcess
  check: Check
  file: FileSummary
  /** A new preview has different rows. */
  previewKey: string
}

/** Codes of warnings with their own question. */
const ASKED: readonly (string | undefined)[] = ['similar_id', 'renamed', 'reactivated']

const isProblem = ({ code }: Warning): boolean => PROBLEM_CODES.some((problem) => problem === code)

/**
 * The warnings of the check. Possible problems are a separate group, each with its rows and editable values. Ignored
 * columns are listed elsewhere, with the file.
 */
export function Warnings({ check, file, ...props }: WarningsProps) {
  // `*` counts ignored columns that the service does not name. The file bar lists all ignored columns.
  const shown = check.warnings.filter(
    ({ field, code }) =>
      field !== '*' && field !== 'charset' && !ASKED.includes(code) && !file.csv.ignoredColumns.includes(field),
  )
  const problems = shown.filter(isProblem)
  const others = shown.filter((warning) => !isProblem(warning))
  const count = problems.reduce((sum, warning) => sum + (warning.count ?? 1), 0)
  return (
    <>
      {problems.length > 0 && (
        <Alert
          color="orange"
          title={countText(count, 'possible problem', 'possible problems')}
          icon={<TriangleAlert />}
        >
          <Text size="sm">Correct the values here, or continue as they are.</Text>
          {problems.map((warning) => (
            <WarningText key={`${warning.field} ${warning.code}`} {...props} warning={warning} isOpen />
          ))}
        </Alert>
      )}
      {others.length > 0 && (
        <Alert color="yellow" title="Warnings" icon={<Info />}>
          {others.map((warning) => (
            <WarningText key={`${warning.field} ${warning.code}`} {...props} warning={warning} />
          ))}
        </Alert>
      )}
    </>
  )
}

interface WarningProps extends Omit<WarningsProps, 'check' | 'file'> {
  warning: Warning
}

function WarningText({ isOpen = false, ...props }: WarningProps & { isOpen?: boolean }) {
  const { type, warning } = props
  const { field, msg, examples = [], values = [] } = warning
  const [opened, { toggle }] = useDisclosure(isOpen)
  const hasRows = examples.length + values.length > 0
  return (
    <Stack gap={4} mt={4} align="stretch">
      <Text size="sm" className="breakable">
        {`${fieldLabel(field)}: ${inWords(type, msg)} `}
        {hasRows && (
          <Button size="compact-xs" variant="default" aria-expanded={opened} onClick={toggle}>
            {opened ? 'Hide the rows' : 'Show the rows'}
          </Button>
        )}
      </Text>
      {hasRows && opened && (examples.length > 0 ? <FlaggedRows {...props} /> : <FlaggedValues {...props} />)}
    </Stack>
  )
}

const TABLE = { minWidth: 440, maxHeight: 320, verticalSpacing: 4 } as const

/** Approximate height of a loaded row, in pixels. */
const ROW_HEIGHT = 48

/** Most rows to show at once. */
const MOST_ROWS = 100

interface FlaggedRow {
  index: number
  row: number
  id: string
  /** The value that it contradicts or repeats. */
  other: string
  cells: readonly string[]
}

/** The rows of a warning: their values, and the values they are compared with. */
function FlaggedRows({ type, upload, warning, previewKey }: WarningProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const { field, code, examples = [] } = warning
  const answer = useAnswer(upload, ['flagged', field, code, previewKey], async () => {
    const all = await upload.work.columns()
    const names = code === 'strength_conflict' ? ['name', 'display_name', field] : [...new Set(['name', field])]
    const idColumn = all.find((column) => column.field === type.idField)?.column ?? -1
    const rows = await upload.work.rows(examples.slice(0, MOST_ROWS).map(({ index }) => index))
    return {
      columns: names.flatMap((name) => all.filter((column) => column.field === name)),
      rows: rows.map(({ index, row, cells }): FlaggedRow => {
        const { other, similar_to } = examples.find((example) => example.index === index) ?? {}
        return { index, row, id: cells[idColumn] ?? '', other: other ?? similar_to ?? '', cells }
      }),
    }
  })
  // Hundreds of inputs, deferred so that the page stays responsive.
  const flagged = useDeferredValue(answer)
  if (flagged === undefined) {
    const height = Math.min(TABLE.maxHeight, ROW_HEIGHT * (1 + examples.length))
    return <Loading name="rows" height={height} />
  }
  const columns: readonly Column<FlaggedRow>[] = [
    { label: 'Row', cell: ({ row }) => numberText(row), isRowHeader: true, className: 'row-cell' },
    { label: 'ID', cell: ({ id }) => id, className: 'row-cell', translate: 'no' },
    ...(code === 'same_item' ? [{ label: 'Same as', cell: ({ other }: FlaggedRow) => other }] : []),
    ...flagged.columns.map(({ column, field: name, header }) => ({
      label: fieldLabel(name ?? header),
      cell: ({ index, row, cells }: FlaggedRow) => (
        <TextInput
          size="xs"
          aria-label={`${fieldLabel(name ?? header)} of row ${row}`}
          value={texts.get(`${index} ${column}`) ?? cells[column] ?? ''}
          onChange={({ currentTarget: { value } }) => setTexts(new Map([...texts, [`${index} ${column}`, value]]))}
        />
      ),
    })),
  ]
  const edits = flagged.rows.flatMap(({ index, cells }) =>
    flagged.columns.flatMap(({ column }) => {
      const text = texts.get(`${index} ${column}`)
      return text === undefined || text === (cells[column] ?? '') ? [] : [{ index, column, text }]
    }),
  )
  const further = (warning.count ?? 0) - flagged.rows.length
  return (
    <>
      <ItemList
        name={`rows with ${fieldWord(field)}`}
        items={flagged.rows}
        idOf={({ index }) => String(index)}
        columns={columns}
        {...TABLE}
      />
      {further > 0 && <Text size="sm">and {numberText(further)} more</Text>}
      <Apply count={edits.length} onApply={() => upload.changeChecked((work) => work.edit(edits))} />
    </>
  )
}

/** The values of a warning, the rows that have them, and suggestions. */
function FlaggedValues({ upload, warning: { field, values = [] }, previewKey }: WarningProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const rows = useAnswer(upload, ['values', field, previewKey], async () =>
    upload.work.rowsOfValues(
      field,
      values.map(({ value }) => value),
    ),
  )
  const columns: readonly Column<(typeof values)[number]>[] = [
    { label: fieldLabel(field), cell: ({ value }) => value, isRowHeader: true, translate: 'no' },
    {
      label: 'Rows',
      translate: 'no',
      cell: ({ value, count }) => {
        const named = rows?.get(value) ?? []
        return (
          <>
            {named.map(({ row, name }) => (
              <div key={row}>{`${numberText(row)}: ${name}`}</div>
            ))}
            {count > named.length && <div translate="yes">{`${numberText(count - named.length)} more`}</div>}
          </>
        )
      },
    },
    {
      label: 'Use instead',
      cell: ({ value }) => (
        <NativeSelect
          size="xs"
          aria-label={`Use instead of “${value}”`}
          data={[{ value: '', label: 'Keep as it is' }, ...nearestForms(value)]}
          value={texts.get(value) ?? ''}
          onChange={({ currentTarget }) => setTexts(new Map([...texts, [value, currentTarget.value]]))}
        />
      ),
    },
  ]
  const replaced = new Map([...texts].filter(([, text]) => text !== ''))
  return (
    <>
      <ItemList
        name={`values of ${fieldWord(field)}`}
        items={values}
        idOf={({ value }) => value}
        columns={columns}
        {...TABLE}
      />
      <Apply
        count={replaced.size}
        onApply={() => upload.changeChecked((work) => work.replaceValues(field, replaced))}
      />
    </>
  )
}

const Apply = ({ count, onApply }: { count: number; onApply: () => void }) =>
  count > 0 && (
    <Button size="xs" style={{ alignSelf: 'flex-start' }} onClick={onApply}>
      {`Apply ${countText(count, 'change', 'changes')} and check again`}
    </Button>
  )
