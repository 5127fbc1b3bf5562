import { Anchor, Paper, Table, Text } from '@mantine/core'
import { Link } from 'wouter'
import { fieldLabel, timeText, titleCase } from '../wording'
import { ActiveBadge } from './active-badge'
import { recordAddress } from './address'
import { tellingFields } from './columns'
import type { RecordListProps } from './record-list'
import { shortText } from './short-text'

export function RecordTable({ type, list, records }: RecordListProps) {
  const columns = tellingFields(type)
  return (
    <Paper withBorder>
      <Table.ScrollContainer
        minWidth={960}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={`Table of ${type.plural}`}
      >
        <Table highlightOnHover verticalSpacing="xs" aria-label={titleCase(type.plural)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Id</Table.Th>
              <Table.Th scope="col">{fieldLabel('name')}</Table.Th>
              {columns.map(({ name }) => (
                <Table.Th key={name} scope="col">
                  {fieldLabel(name)}
                </Table.Th>
              ))}
              <Table.Th scope="col">State</Table.Th>
              <Table.Th scope="col">Updated</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {records.map((record) => {
              const id = String(record[type.idField])
              return (
                <Table.Tr key={id}>
                  <Table.Td className="id-cell">{id}</Table.Td>
                  <Table.Td className="name-cell">
                    <Anchor component={Link} href={recordAddress(type, id, list)} fw={550} inherit>
                      {String(record.name)}
                    </Anchor>
                    {record.display_name !== record.name && (
                      <Text size="xs" c="dimmed">
                        {String(record.display_name)}
                      </Text>
                    )}
                  </Table.Td>
                  {columns.map((field) => (
                    <Table.Td key={field.name} className="text-cell">
                      {shortText(field, record[field.name])}
                    </Table.Td>
                  ))}
                  <Table.Td>
                    <ActiveBadge active={record.is_active === true} />
                  </Table.Td>
                  <Table.Td className="time-cell">{timeText(String(record.updated_at))}</Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}
