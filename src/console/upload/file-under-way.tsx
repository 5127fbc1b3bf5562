import { Stack } from '@mantine/core'
import { useLocation } from 'wouter'
import { asksColumns, type ChosenFile } from '#files/chosen-file'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { FileToUpload, ModeOfFile } from './choices'
import { CellQuestions } from './file/cell-questions'
import { ColumnsPanel, ColumnsQuestion } from './file/columns-panel'
import { FileSummary } from './file/file-summary'
import { SheetTabs } from './file/sheet-tabs'
import { TotalsQuestion } from './file/totals-question'
import { WrongCatalog } from './file/wrong-catalog'
import { Outcome } from './outcome'
import { isUnderWay } from './process/stage'
import { REVIEW, stepOf } from './step-list'
import type { UploadInProgress } from './use-upload'

type UnderWayProps = CatalogPageProps & UploadInProgress

interface ColumnsShown {
  columnsOpen: boolean
  columns: { toggle: () => void; close: () => void }
}

/** A file that was chosen: its state, what the person has to decide, and beside that its facts. */
export function FileUnderWay({ columnsOpen, columns, ...props }: UnderWayProps & ColumnsShown) {
  const { type, upload, stage, mode, keepsMissing, sheets } = props
  const file = 'file' in stage ? stage.file : undefined
  const isWide = stage.is === 'faulty' && stepOf(stage) === REVIEW
  const disabled = isUnderWay(stage)
  const isAsked = file !== undefined && asksColumns(file, type)
  return (
    // Rows that are edited take the whole width.
    <div className="upload" data-wide={isWide || undefined}>
      <Stack gap="md" miw={0}>
        {sheets !== undefined && (
          <SheetTabs
            type={type}
            sheets={sheets}
            disabled={disabled}
            onChoose={(name) => upload.answer((desk) => desk.changeSheet(name))}
          />
        )}
        {file !== undefined && columnsOpen && !isAsked && (
          <ColumnsPanel type={type} file={file} upload={upload} disabled={disabled} onClose={columns.close} />
        )}
        {file !== undefined && <Decisions {...props} file={file} />}
        <Outcome type={type} upload={upload} mode={mode} keepsMissing={keepsMissing} stage={stage} />
      </Stack>
      <div className="upload-side">
        <Stack gap="md">
          {file !== undefined && (
            <FileSummary
              type={type}
              file={file}
              columnsOpen={columnsOpen}
              onColumns={isAsked ? undefined : columns.toggle}
            />
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
  const disabled = isUnderWay(stage)
  // In another catalog the columns are others.
  if (better !== undefined) {
    return (
      <WrongCatalog
        type={type}
        better={better}
        onMove={() => navigate(`/${better.type}/upload`)}
        onKeep={() => upload.answer((desk) => desk.keepType())}
      />
    )
  }
  return (
    <>
      {asksColumns(file, type) && (
        <ColumnsQuestion type={type} file={file} upload={upload} disabled={disabled} />
      )}
      <CellQuestions
        file={file}
        disabled={disabled}
        onChoose={(key, choice) => upload.answer((desk) => desk.chooseCells(key, choice))}
      />
      <TotalsQuestion
        type={type}
        file={file}
        disabled={disabled}
        onChoose={(choice) => upload.answer((desk) => desk.chooseTotals(choice))}
      />
    </>
  )
}
