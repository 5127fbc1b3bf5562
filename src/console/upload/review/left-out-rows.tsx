import { Alert, Button, Text } from '@mantine/core'
import { Download, Info } from 'lucide-react'
import type { GivenFile } from '#files/fix/errors-file'
import { useDownload } from '../../use-download'
import { Problem } from '../../widgets/problem'
import { countText } from '../../wording'

interface LeftOutRowsProps {
  count: number
  getFile: () => Promise<GivenFile>
}

/** Says how many rows of a file are not written, and gives them to the person. */
export function LeftOutRows({ count, getFile }: LeftOutRowsProps) {
  const download = useDownload()
  if (count === 0) return null
  return (
    <Alert color="yellow" icon={<Info />} title={`${countText(count, 'row is', 'rows are')} left out`}>
      <Text size="sm">Fix them later: the download says what is wrong with each, and can be uploaded again.</Text>
      <Button
        size="xs"
        variant="default"
        mt="sm"
        leftSection={<Download size={14} />}
        loading={download.isPending}
        onClick={() => download.mutate(getFile)}
      >
        Download the rows that are left out
      </Button>
      {download.error !== null && <Problem title="The file could not be made" error={download.error} />}
    </Alert>
  )
}
