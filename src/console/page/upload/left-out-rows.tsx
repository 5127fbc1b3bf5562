import { Alert, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download, Info } from 'lucide-react'
import { saveFile } from '../save-file'
import { countText } from '../wording'
import type { GivenFile } from './stage'

interface LeftOutRowsProps {
  count: number
  getFile: () => Promise<GivenFile>
}

/** Says how many rows of a file are not written, and gives them to the person. */
export function LeftOutRows({ count, getFile }: LeftOutRowsProps) {
  const download = useMutation({
    mutationFn: getFile,
    onSuccess: ({ name, content }) => saveFile(content, name),
  })
  if (count === 0) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Info aria-hidden />}
      title={`${countText(count, 'row is', 'rows are')} left out`}
    >
      <Text size="sm">
        Fix them later: the download says what is wrong with each, and can be uploaded again.
      </Text>
      <Button
        size="xs"
        variant="default"
        mt="sm"
        leftSection={<Download size={14} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download the rows that are left out
      </Button>
    </Alert>
  )
}
