import { Stack } from '@mantine/core'
import { ConfirmationShare } from '../settings/confirmation-share'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { FileChoice } from './file/file-choice'
import { ModeChoice } from './mode-choice'
import { isUnderWay } from './process/stage'
import type { UploadInProgress } from './use-upload'

type ChoiceProps = CatalogPageProps & UploadInProgress

/** Which file. */
export const FileToUpload = ({ type, upload, stage }: ChoiceProps) => (
  <FileChoice
    type={type}
    isChosen={stage.is !== 'empty'}
    disabled={isUnderWay(stage)}
    onChoose={(chosen) => upload.choose(chosen)}
  />
)

/** What the file is, and from which share of deactivations on the number has to be typed. */
export function ModeOfFile({ type, upload, stage, mode }: ChoiceProps) {
  const disabled = isUnderWay(stage)
  return (
    <Stack gap="xs">
      <ModeChoice
        type={type}
        mode={mode}
        disabled={disabled}
        onChange={(chosen) => upload.changeMode(chosen)}
      />
      <ConfirmationShare type={type} disabled={disabled} />
    </Stack>
  )
}
