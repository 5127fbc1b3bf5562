import { NativeSelect, Stack } from '@mantine/core'
import { useLocation } from 'wouter'
import type { ChosenFile } from '#import/chosen-file'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { FileToUpload, ModeOfFile } from './choices'
import { CellQuestions } from './file/cell-questions'
import { ColumnTable } from './file/column-table'
import { FileSummary } from './file/file-summary'
import { WrongCatalog } from './file/wrong-catalog'
import { Outcome } from './outcome'
import { REVIEW, stepOf } from './step-list'
import type { Upload } from './use-upload'

type UnderWayProps = CatalogPageProps & Upload

interface ColumnsShown {
  columnsOpen: boolean
  columns: { toggle: () => void; close: () => void }
}

/** A file that was chosen: what became of it and what to decide, and beside that what it is. */
export function FileUnderWay({ columnsOpen, columns, ...props }: UnderWayProps & ColumnsShown) {
  const { type, upload, stage, mode } = props
  const file = 'file' in stage ? stage.file : undefined
  const isWide = stage.is === 'faulty' && stepOf(stage) === REVIEW
  return (
    // Rows that are edited take the whole width.
    <div className="upload" data-wide={isWide || undefined}>
      <Stack gap="md" miw={0}>
        {file !== undefined && columnsOpen && (
          <ColumnTable
            type={type}
            columns={file.csv.fileColumns}
            disabled={stage.is === 'writing'}
            onMap={(header, field) => upload.mapColumn(header, field)}
            onClose={columns.close}
          />
        )}
        {file !== undefined && <Decisions {...props} file={file} />}
        <Outcome type={type} upload={upload} mode={mode} stage={stage} />
      </Stack>
      <div className="upload-side">
        <Stack gap="md">
          <SheetChoice {...props} />
          {file !== undefined && (
            <FileSummary type={type} file={file} columnsOpen={columnsOpen} onColumns={columns.toggle} />
          )}
          <FileToUpload {...props} />
        </Stack>
        <ModeOfFile {...props} />
      </div>
    </div>
  )
}

/** What the person has to decide before the file is sent. */
function Decisions({ type, upload, stage, file }: UnderWayProps & { file: ChosenFile }) {
  const [, navigate] = useLocation()
  const { better } = file
  return (
    <>
      {better !== undefined && (
        <WrongCatalog
          type={type}
          better={better}
          onMove={() => navigate(`/${better.type}/upload`)}
          onKeep={() => upload.keepType()}
        />
      )}
      <CellQuestions
        file={file}
        disabled={stage.is === 'writing'}
        onChoose={(position, chosen) => upload.chooseCells(position, chosen)}
      />
    </>
  )
}

const SheetChoice = ({ upload, stage, sheets }: UnderWayProps) =>
  sheets !== undefined && (
    <NativeSelect
      label="Sheet of the workbook"
      maw={320}
      disabled={stage.is === 'writing'}
      data={[...sheets.names]}
      value={sheets.chosen}
      onChange={({ currentTarget }) => upload.changeSheet(currentTarget.value)}
    />
  )
