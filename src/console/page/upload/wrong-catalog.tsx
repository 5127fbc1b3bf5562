import { Alert, Button, Group, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import type { RecordType } from '#records/record-type'

interface WrongCatalogProps {
  type: RecordType
  /** The one that the file fits better. */
  better: RecordType
  onMove: () => void
  onKeep: () => void
}

/** Asks which catalog is meant, where the columns of a file are those of another one. */
export const WrongCatalog = ({ type, better, onMove, onKeep }: WrongCatalogProps) => (
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
