import { Button, Code, DataList, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { useCatalogChange } from '../queries'
import { fieldGroups, isEmpty } from '../record/field-groups'
import { Items } from '../record/items'
import { itemsOf, withoutRepeatedName } from '../record/short-texts'
import { useSession } from '../session-context'
import { useNarrow } from '../widgets/hooks'
import { useRowFocus } from '../widgets/kept-focus'
import { Problem } from '../widgets/problem'
import { fieldLabel, fieldWord, timeText, valueLabel } from '../wording'
import { DrugFormNote } from './drug-form-note'

interface RecordFieldsProps {
  type: RecordType
  record: RawRecord
}

/** All values of a record, in groups, and the names of its empty fields. */
export function RecordFields({ type, record: stored }: RecordFieldsProps) {
  const record = withoutRepeatedName(stored)
  const filledFields = fieldGroups(type).map(({ title, fields }) => ({
    title,
    fields: fields.filter(({ name }) => !isEmpty(record[name])),
  }))
  const empty = fieldGroups(type).flatMap(({ fields }) => fields.filter(({ name }) => isEmpty(record[name])))
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'lg' }}>
      <Stack gap="lg">
        <div className="field-columns">
          {filledFields
            .filter(({ fields }) => fields.length > 0)
            .map(({ title, fields }) => (
              <Stack key={title} component="section" gap="xs">
                <Title order={2} size="h5">
                  {title}
                </Title>
                <Values fields={fields} record={record} />
              </Stack>
            ))}
        </div>
        {empty.length > 0 && (
          <Text size="sm" c="dimmed">
            Not given: {empty.map(({ name }) => fieldWord(name)).join(', ')}.
          </Text>
        )}
        <Fields>
          {itemsOf(record.added_names).length > 0 && (
            <DataList.Item>
              <DataList.ItemLabel>Added names</DataList.ItemLabel>
              <DataList.ItemValue>
                <AddedNames type={type} record={record} />
              </DataList.ItemValue>
            </DataList.Item>
          )}
          <DataList.Item>
            <DataList.ItemLabel>Updated</DataList.ItemLabel>
            <DataList.ItemValue>
              <time dateTime={String(record.updated_at)}>{timeText(String(record.updated_at))}</time>
            </DataList.ItemValue>
          </DataList.Item>
        </Fields>
      </Stack>
    </Paper>
  )
}

/** Names that were added to a record in addition to its own, with buttons to remove them. */
function AddedNames({ type, record }: RecordFieldsProps) {
  const { can } = useSession()
  const removal = useCatalogChange(type, (client, text: string) =>
    client.delete('/admin/catalogs/v1/{type}/records/{entity_id}/added-names/{text}', {
      params: { type: type.name, entity_id: String(record[type.idField]), text },
    }),
  )
  const rowFocus = useRowFocus<HTMLDivElement>()
  return (
    <Stack gap={4} {...rowFocus}>
      {itemsOf(record.added_names).map((name) => (
        <Group key={name} gap="xs">
          <span className="item" translate="no">
            {name}
          </span>
          {can('catalog:write') && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove the name ${name}`}
              loading={removal.isPending && removal.variables === name}
              onClick={() => removal.mutate(name)}
            >
              Remove
            </Button>
          )}
        </Group>
      ))}
      <Problem error={removal.error} />
    </Stack>
  )
}

function Fields({ children }: { children: ReactNode }) {
  const narrow = useNarrow()
  return (
    <DataList size="sm" gap="xs" withDivider labelWidth="160px" orientation={narrow ? 'vertical' : 'horizontal'}>
      {children}
    </DataList>
  )
}

const Values = ({ fields, record }: { fields: readonly Field[]; record: RawRecord }) => (
  <Fields>
    {fields.map((field) => (
      <DataList.Item key={field.name}>
        <DataList.ItemLabel>{fieldLabel(field.name)}</DataList.ItemLabel>
        <DataList.ItemValue className="breakable">
          <ShownValue field={field} value={record[field.name]} />
          {field.name === 'form_name' && <DrugFormNote name={record.form_name} />}
        </DataList.ItemValue>
      </DataList.Item>
    ))}
  </Fields>
)

function ShownValue({ field, value }: { field: Field; value: unknown }) {
  switch (field.kind) {
    case 'string':
      return (
        <span className="pre-line" translate="no">
          {String(value)}
        </span>
      )
    case 'enum':
      return <span>{valueLabel(field, String(value))}</span>
    case 'boolean':
      return <span>{value === true ? 'Yes' : 'No'}</span>
    case 'list':
      return <Items items={itemsOf(value)} />
    case 'any':
      return typeof value === 'string' ? (
        <span className="pre-line" translate="no">
          {value}
        </span>
      ) : (
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      )
  }
}
