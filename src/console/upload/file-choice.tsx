import { Button, Paper, Stack, Text } from '@mantine/core'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { useDropzone } from 'react-dropzone'
import type { OutputFile } from '#files/fix/errors-file'
import type { RecordType } from '#shared/records/record-type'
import { DownloadButton } from '../widgets/download-button'
import { writeWorkbook } from '../workbook/write-workbook'

/** Extensions in the file dialog: text, workbooks, and tables in HTML or XML. */
const FILE_EXTENSIONS = '.csv,.tsv,.psv,.txt,.xlsx,.xlsm,.xlsb,.xls,.ods,.fods,.htm,.html,.xml'

interface FileInputProps {
  disabled?: boolean
  onChoose: (file: File) => void
}

/** Accepts one file, from the file dialog or dropped. Rejects several files. */
function useFileInput({ disabled = false, onChoose }: FileInputProps) {
  const [isRefused, setRefused] = useState(false)
  const dropzone = useDropzone({
    // Clicks and keys go to the button. The area only accepts dropped files.
    noClick: true,
    noKeyboard: true,
    multiple: false,
    disabled,
    onDrop: (accepted) => setRefused(accepted.length !== 1),
    // Starts reading in a separate task, so that the browser first shows that the file has arrived.
    onDropAccepted: ([file]) => file !== undefined && setTimeout(() => onChoose(file)),
  })
  return { ...dropzone, isRefused }
}

/** A place to drop a file, with a button that opens the file dialog. */
export function FileChoice({ type, onChoose }: FileInputProps & { type: RecordType }) {
  const { getRootProps, getInputProps, isDragActive, open, isRefused } = useFileInput({ onChoose })
  return (
    <Paper {...getRootProps()} withBorder p="xl" className="drop-zone" data-active={isDragActive || undefined}>
      <input {...getInputProps()} accept={FILE_EXTENSIONS} aria-label="File to upload" />
      <Stack align="center" gap="sm">
        <FileUp size={48} color="var(--mantine-color-dimmed)" />
        <Text fw={600} size="lg" ta="center">
          {isDragActive ? 'Drop the file here' : `Drop a file with ${type.plural} here`}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          A CSV file or an Excel workbook: one header row, then one row for each record.
        </Text>
        <Button size="md" onClick={open}>
          Choose a file
        </Button>
        <DownloadButton size="xs" getFile={() => templateOf(type)}>
          Download a workbook to fill in, with examples
        </DownloadButton>
      </Stack>
      {isRefused && <OneFileOnly />}
    </Paper>
  )
}

/** A button to replace the chosen file, which also accepts a dropped file. */
export function ReplaceFile({ disabled = false, onChoose }: FileInputProps) {
  const { getRootProps, getInputProps, isDragActive, open, isRefused } = useFileInput({ disabled, onChoose })
  return (
    <div {...getRootProps()}>
      <input {...getInputProps()} accept={FILE_EXTENSIONS} aria-label="File to upload" />
      <Button variant={isDragActive ? 'filled' : 'default'} size="xs" onClick={open} disabled={disabled}>
        {isDragActive ? 'Drop the file here' : 'Choose another file'}
      </Button>
      {isRefused && <OneFileOnly />}
    </div>
  )
}

const OneFileOnly = () => (
  <Text role="alert" size="sm" c="error" ta="center" mt="xs">
    One file at a time, please.
  </Text>
)

async function templateOf(type: RecordType): Promise<OutputFile> {
  const { templateSheets } = await import('../workbook/template')
  const sheets = templateSheets(type)
  return {
    name: `${type.name}-template.xlsx`,
    content: await writeWorkbook((writer) => writer.textWorkbook(sheets)),
  }
}
