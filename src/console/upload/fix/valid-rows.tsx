import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { saveFile } from '../../save-file'
import { useDownload } from '../../use-download'
import { Problem } from '../../widgets/problem'
import { numberText } from '../../wording'
import type { Mode, Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'

interface ValidRowsProps {
  upload: UploadProcess
  mode: Mode
  stage: Stage & { is: 'faulty' }
}

/** Ways to go on without fixing: the valid rows alone, or the file with its errors for the spreadsheet. */
export function ValidRows({ upload, mode, stage: { file, errors, changes } }: ValidRowsProps) {
  const download = useDownload()
  const leaveOut = useMutation({
    mutationFn: async () => {
      saveFile(await upload.work.errorsFile(true))
      await upload.leaveOutFailing()
    },
  })
  const failing = errors.rows + changes.leftOut
  const valid = file.records - failing
  const isOfRows = errors.groups.every(({ ofFile }) => !ofFile)
  const error = download.error ?? leaveOut.error
  return (
    <>
      {error !== null && <Problem title="The file could not be made" error={error} />}
      <Button
        variant="default"
        className="wrapping-button"
        leftSection={<Download size={16} />}
        loading={download.isPending}
        onClick={() => download.mutate(() => upload.work.errorsFile(false))}
      >
        Download the file with its errors
      </Button>
      {mode === 'upsert' && isOfRows && valid > 0 && (
        <Button
          variant="default"
          className="wrapping-button"
          loading={leaveOut.isPending}
          onClick={() => leaveOut.mutate()}
        >
          Upload the {numberText(valid)} valid and keep the {numberText(failing)} failing
        </Button>
      )}
    </>
  )
}
