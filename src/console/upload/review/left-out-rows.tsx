import { Alert, Stack, Text } from '@mantine/core'
import { Info } from 'lucide-react'
import type { OutputFile } from '#files/fix/errors-file'
import { DownloadButton } from '../../widgets/download-button'
import { countText } from '../../wording'

/** Says how many rows of a file are not written, and gives them to the person. */
export const LeftOutRows = ({ count, getFile }: { count: number; getFile: () => Promise<OutputFile> }) =>
  count > 0 && (
    <Alert color="yellow" icon={<Info />} title={`${countText(count, 'row is', 'rows are')} left out`}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">Fix them later: the download says what is wrong with each, and can be uploaded again.</Text>
        <DownloadButton size="xs" getFile={getFile}>
          Download the rows that are left out
        </DownloadButton>
      </Stack>
    </Alert>
  )
