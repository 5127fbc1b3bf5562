import { Chip, Group, Stack, Text } from '@mantine/core'
import { memo, useState } from 'react'
import { CHANGES, type ChangeKind } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import {
  Differences,
  DistinctValue,
  type FieldDifferences,
  showsNothing,
  withoutRepeatedNames,
} from '../record/differences'
import type { Preview } from '../service/answers'
import { FullListHeading } from '../widgets/download-button'
import { useNarrow } from '../widgets/hooks'
import { fieldLabel, numberText } from '../wording'
import { ChangeBadge } from './change-badge'
import { countOf, OUTCOME_LOOKS, SHOWN_CHANGES } from './change-texts'
import './change-table.css'

interface ChangeTableProps {
  type: RecordType
  check: Preview
  /** Returns the full list as CSV, for one kind of change or all. */
  onList: (change: ChangeKind | undefined) => Promise<Blob>
}

interface ListedChange {
  change: ChangeKind
  id: string
  name: string
  fields: FieldDifferences
}

/** The first records of each kind, deactivations first. */
const changesOf = ({ diff }: Preview): ListedChange[] =>
  SHOWN_CHANGES.flatMap((change) =>
    diff[change].map(({ id, name, ...record }) => ({
      change,
      id,
      name,
      fields: withoutRepeatedNames('fields' in record ? (record.fields ?? {}) : {}),
    })),
  )

/**
 * Names of the changed fields, in the order of the type. Fields that change in existing records come first, because in
 * a new record every field is new. The name of a new record is already in the first column.
 */
function shownFields({ fields }: RecordType, records: readonly ListedChange[]): string[] {
  const isChanged = (name: string) => records.some((record) => record.change !== 'inserted' && name in record.fields)
  const isNew = (name: string) => name !== 'name' && records.some((record) => name in record.fields)
  const names = fields.map(({ name }) => name)
  const changedNames = names.filter(isChanged)
  return [...changedNames, ...names.filter((name) => !changedNames.includes(name) && isNew(name))]
}

/** Shows what would change, one row per record and one column per changed field. The full list is a file. */
export const ChangeTable = memo(function ChangeTable({ type, check, onList }: ChangeTableProps) {
  const kinds = SHOWN_CHANGES.filter((change) => countOf(check, change) > 0)
  const [kind, setKind] = useState<ChangeKind | undefined>(kinds.length === 1 ? kinds[0] : undefined)
  const records = changesOf(check).filter(({ change }) => kind === undefined || change === kind)
  const count = (kind === undefined ? kinds : [kind]).reduce((sum, one) => sum + countOf(check, one), 0)
  return (
    <Stack gap={6}>
      <FullListHeading
        fileName={`${type.name}-${kind ?? 'changes'}.csv`}
        getFile={() => onList(kind === undefined && kinds.length === 1 ? kinds[0] : kind)}
      >
        <Group gap="sm">
          <Kinds check={check} kinds={kinds} kind={kind} onKind={setKind} />
          <Text size="sm" c="dimmed" role="status">
            {count > records.length
              ? `The first ${numberText(records.length)} of ${numberText(count)}`
              : `All ${numberText(count)}`}
          </Text>
        </Group>
      </FullListHeading>
      <Rows records={records} fields={shownFields(type, records)} showsKind={kind === undefined} />
    </Stack>
  )
})

interface KindsProps {
  check: Preview
  kinds: readonly ChangeKind[]
  kind: ChangeKind | undefined
  onKind: (kind: ChangeKind | undefined) => void
}

function Kinds({ check, kinds, kind, onKind }: KindsProps) {
  if (kinds.length < 2) return null
  return (
    <Chip.Group value={kind ?? 'all'} onChange={(value) => onKind(CHANGES.find((change) => change === value))}>
      <Group gap={6} role="group" aria-label="Kinds of change">
        <Chip size="xs" value="all">
          All
        </Chip>
        {kinds.map((change) => (
          <Chip key={change} size="xs" value={change} color={OUTCOME_LOOKS[change].color} variant="light">
            {`${OUTCOME_LOOKS[change].label} ${numberText(countOf(check, change))}`}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  )
}

interface RowsProps {
  records: readonly ListedChange[]
  fields: readonly string[]
  showsKind: boolean
}

/** Plain elements: there may be thousands of cells, and the page must stay responsive while they are rendered. */
const Rows = memo(function Rows({ records, fields, showsKind }: RowsProps) {
  if (useNarrow()) return <Cards records={records} showsKind={showsKind} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className="change-frame scroll-frame" tabIndex={0} aria-label="Table of changed records">
      <table className="change-table" aria-label="Changed records">
        <thead>
          <tr>
            <th scope="col" className="change-record">
              Record
            </th>
            {showsKind && <th scope="col">Becomes</th>}
            {fields.map((name) => (
              <th key={name} scope="col">
                {fieldLabel(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={record.id}>
              <th scope="row" className="change-record" translate="no">
                {record.name} <small>{record.id}</small>
              </th>
              {showsKind && (
                <td>
                  <ChangeBadge change={record.change} />
                </td>
              )}
              {fields.map((name) => (
                <ValueChange
                  key={name}
                  values={name === 'name' && record.change === 'inserted' ? undefined : record.fields[name]}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
})

const Cards = ({ records, showsKind }: Omit<RowsProps, 'fields'>) => (
  <ul className="plain-list" aria-label="Changed records">
    {records.map((record) => (
      <li key={record.id} className="change-card">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <div className="change-record" translate="no">
            {record.name} <small>{record.id}</small>
          </div>
          {showsKind && <ChangeBadge change={record.change} />}
        </Group>
        <Differences fields={shownIn(record)} />
      </li>
    ))}
  </ul>
)

/** The changes of a record in the shown fields. The name of a new record is already in the first column. */
const shownIn = ({ change, fields }: ListedChange): FieldDifferences =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'name' || change !== 'inserted'))

/** A new value is shown alone; a removed value is struck through. */
function ValueChange({ values }: { values: readonly [unknown, unknown] | undefined }) {
  if (values === undefined) return <td />
  const [before, after] = values
  return (
    <td className="difference">
      {!showsNothing(before) && (
        <del>
          <DistinctValue value={before} other={after} />
        </del>
      )}
      {/* Where the line may break: never within a number that has room on the next one. */}{' '}
      {!showsNothing(after) && (
        <ins>
          <DistinctValue value={after} other={before} />
        </ins>
      )}
    </td>
  )
}
