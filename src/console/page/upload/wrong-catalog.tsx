import { Alert, Button, Group, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { RecordType, RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'

interface WrongCatalogProps {
  type: RecordType
  /** The one that the file fits better. */
  better: RecordTypeName
  onMove: () => void
  onKeep: () => void
}

/** Asks which catalog is meant, where the columns of a file are those of another one. */
export function WrongCatalog({ type, better: name, onMove, onKeep }: WrongCatalogProps) {
  const better = recordTypes[name]
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<TriangleAlert aria-hidden />}
      role="alert"
      title={`This file looks like ${better.plural}, not ${type.plural}`}
    >
      <Text size="sm">Its columns are those of {better.plural}. Nothing has been sent.</Text>
      <Group mt="sm">
        <Button onClick={onMove}>Upload it to the {better.plural}</Button>
        <Button variant="default" onClick={onKeep}>
          These are {type.plural}
        </Button>
      </Group>
    </Alert>
  )
}
