import { Alert, Button, Group, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { BetterCatalog } from '#files/columns/catalog-fit'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

interface WrongCatalogProps {
  type: RecordType
  /** The one that the file fits better. */
  better: BetterCatalog
  onMove: () => void
  onKeep: () => void
}

/** Asks which catalog is meant, if the columns of a file are those of another one. */
export function WrongCatalog({ type, better: { type: name, by }, onMove, onKeep }: WrongCatalogProps) {
  const better = recordTypes[name]
  return (
    <Alert
      color="orange"
      icon={<TriangleAlert />}
      role="alert"
      title={`This file looks like ${better.plural}, not ${type.plural}`}
    >
      <Text size="sm">
        {by === 'ids'
          ? `Its ids are in your catalog of ${better.plural}.`
          : `Its columns and values are those of ${better.plural}.`}{' '}
        Nothing has been written.
      </Text>
      <Group mt="sm">
        <Button onClick={onMove}>Upload it to the {better.plural}</Button>
        <Button variant="default" onClick={onKeep}>
          These are {type.plural}
        </Button>
      </Group>
    </Alert>
  )
}
