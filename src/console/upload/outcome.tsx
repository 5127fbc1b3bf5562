import type { CatalogPageProps } from '../shell/catalog-page-props'
import { Problem } from '../widgets/problem'
import { ErrorReport } from './fix/error-report'
import type { Stage, UploadState } from './process/stage'
import type { UploadProcess } from './process/upload-process'
import { Checked } from './review/checked'
import { Interrupted, TooLarge } from './review/refused'
import { Transfer } from './transfer'

interface OutcomeProps extends CatalogPageProps {
  upload: UploadProcess
  mode: UploadState['mode']
  keepsMissing: boolean
  stage: Stage
}

/** What has become of the file so far. */
export function Outcome({ type, upload, mode, keepsMissing, stage }: OutcomeProps) {
  const checkAgain = () => upload.check()
  switch (stage.is) {
    case 'empty':
    case 'written':
    case 'asking':
      return null
    case 'reading':
      return <Transfer label={`Reading ${stage.name}`} />
    case 'unreadable':
      return <Problem title={`${stage.name} cannot be used`} error={stage.error} />
    case 'validating':
      return <Transfer label="Checking" rows={stage.file.records} />
    case 'faulty':
      return <ErrorReport type={type} upload={upload} mode={mode} keepsMissing={keepsMissing} stage={stage} />
    case 'tooLarge':
      return <TooLarge type={type} file={stage.file} />
    case 'checking':
      return <Transfer progress={stage.progress} label="Checking" rows={stage.file.records} />
    case 'refused':
      return <Problem title="The file could not be checked" error={stage.error} onRetry={checkAgain} />
    case 'checked':
      return <Checked type={type} upload={upload} stage={stage} keepsMissing={keepsMissing} />
    case 'writing':
      return (
        <Transfer
          progress={stage.progress}
          label="Writing"
          sending="Sending the file once more"
          rows={stage.file.records}
        />
      )
    case 'confirming':
      return <Transfer label="No answer came. Looking whether the file is written" />
    case 'interrupted':
      return <Interrupted {...stage} onRetry={checkAgain} />
  }
}
