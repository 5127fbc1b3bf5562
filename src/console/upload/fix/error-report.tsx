import { Accordion, Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleX, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ErrorGroup, ErrorSummary } from '#files/check/row-errors'
import { missingColumns } from '#files/file-summary'
import type { RecordType } from '#shared/records/record-type'
import { saveFile } from '../../use-download'
import { ActionBar } from '../../widgets/action-bar'
import { DownloadButton } from '../../widgets/download-button'
import { takeFocus } from '../../widgets/hooks'
import { Problem } from '../../widgets/problem'
import { countText, fieldLabel, numberText } from '../../wording'
import type { Mode, Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { groupReason } from './field-hints'
import { type GroupActions, GroupFix } from './group-fix'
import { MissingColumn } from './missing-column'
import { RowsToFix } from './rows-to-fix'

interface ErrorReportProps {
  type: RecordType
  upload: UploadProcess
  mode: Mode
  keepsMissing: boolean
  stage: Stage & { is: 'faulty' }
}

export function ErrorReport({ type, upload, mode, keepsMissing, stage }: ErrorReportProps) {
  const { errors, changes, failure } = stage
  const [group, setGroup] = useState<string>()
  // Grows when many rows change at once: the rows to edit are then looked for again.
  const [moment, setMoment] = useState(0)
  const lookAgain = () => setMoment((last) => last + 1)
  const change = (run: Parameters<UploadProcess['fix']>[0]) => upload.fix(run).then(lookAgain)
  const actions: GroupActions = {
    onSet: (choice, field, text) => change((work) => work.setAll(choice, field, text)),
    onSetEach: (group, field, texts) => change((work) => work.setEach(group, field, texts)),
    ...(mode === 'upsert' && { onLeaveOut: (choice) => upload.leaveOut(choice).then(lookAgain) }),
    effectOf: (choice, field, pattern) => upload.work.effectOf(choice, field, pattern),
    onChange: (choice, field, pattern) => change((work) => work.change(choice, field, pattern)),
  }
  const missingGroups = missingIn(errors)
  const keptFields = keepsMissing ? missingColumns(stage.file, type).map(({ name }) => name) : []
  // Other fields than the id can have one value for all rows.
  const groups = errors.groups.filter((one) => !(missingGroups.includes(one) && one.field === type.idField))
  return (
    <Stack gap="md">
      <Paper withBorder p="md" component="section" aria-labelledby="errors">
        <Stack>
          {missingGroups.length > 0 ? (
            <MissingColumn
              type={type}
              fields={missingGroups.flatMap(({ field }) => field ?? [])}
              columns={stage.file.csv.fileColumns}
              advice={
                'If the file has no such column, give all rows the same value below, or add one in your ' +
                'spreadsheet.'
              }
              onMap={(position, target) => upload.answer((answers) => answers.mapColumn(position, target))}
            />
          ) : (
            <ErrorHeadline errors={errors} />
          )}
          {failure !== undefined && <Problem title="The change was not made" error={failure} />}
          <div className="fixing" data-rows={errors.rows > 0 || undefined}>
            <RowsToFix type={type} upload={upload} stage={stage} group={group} moment={moment} />
            <Groups groups={groups} type={type} keptFields={keptFields} onGroup={setGroup} {...actions} />
          </div>
        </Stack>
      </Paper>
      {(errors.rows > 0 || errors.errors === 0 || changes.count > 0) && (
        <ActionBar note={leftOutText(changes.leftOut)}>
          {changes.count > 0 && (
            <Button variant="default" leftSection={<Undo2 size={16} />} onClick={() => change((work) => work.undo())}>
              Undo the last change
            </Button>
          )}
          {errors.rows > 0 && <ValidRows upload={upload} mode={mode} stage={stage} />}
          {errors.errors === 0 && (
            <Button leftSection={<CircleCheck size={18} />} onClick={() => upload.check()}>
              See what would change
            </Button>
          )}
        </ActionBar>
      )}
    </Stack>
  )
}

const leftOutText = (count: number): string =>
  count === 0 ? 'Nothing was written.' : `${countText(count, 'row is', 'rows are')} left out.`

/** Errors that say that a mandatory field has no column. */
const missingIn = ({ groups }: ErrorSummary): ErrorGroup[] =>
  groups.filter(({ ofFile, field, code }) => ofFile && field !== null && code === 'required')

function ErrorHeadline({ errors: { errors, rows } }: { errors: ErrorSummary }) {
  const isGood = errors === 0
  const ofFile = errors > 0 && rows === 0
  const title = isGood
    ? 'All rows are valid now'
    : ofFile
      ? 'The columns are not clear yet'
      : `${countText(errors, 'error', 'errors')} in ${countText(rows, 'row', 'rows')}`
  return (
    <Alert
      color={isGood ? 'green' : 'red'}
      icon={isGood ? <CircleCheck /> : <CircleX />}
      role={isGood ? 'status' : 'alert'}
      title={
        <Title order={2} size="h4" id="errors" tabIndex={-1} ref={takeFocus}>
          {title}
        </Title>
      }
    >
      <Text size="sm">
        {isGood
          ? 'Go on to see what the file would change.'
          : ofFile
            ? 'Look at what is wrong below, and change the columns here, under “Change the columns”, or in ' +
              'the header row of your spreadsheet.'
            : 'Fix the rows here, or in your spreadsheet: the download has one more column, “_errors”. Rows ' +
              'are numbered as the spreadsheet shows them.'}
      </Text>
    </Alert>
  )
}

/** What the errors of a group are about. */
function groupName({ field, ofFile }: ErrorGroup): string {
  if (field !== null) return fieldLabel(field)
  return ofFile ? 'The file' : 'The whole row'
}

interface GroupsProps extends GroupActions {
  groups: readonly ErrorGroup[]
  type: RecordType
  /** Fields that the file has no column for, if they are kept. */
  keptFields: readonly string[]
  /** Shows the rows of a group; all of them for undefined. */
  onGroup: (group: string | undefined) => void
}

/** What can be done about many rows at once, by what is wrong with them. The one that is open shows its rows. */
function Groups({ groups, type, keptFields, onGroup, ...actions }: GroupsProps) {
  const [open, setOpen] = useState<string | null>(groups[0]?.key ?? null)
  const choose = (key: string | null) => {
    setOpen(key)
    onGroup(groups.find((group) => group.key === key && !group.ofFile)?.key)
  }
  return (
    <Accordion variant="separated" value={open} onChange={choose} order={3} keepMounted={false}>
      {groups.map((group) => (
        <Accordion.Item key={group.key} value={group.key}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" pr="sm">
              <Text>
                <Text span fw={600}>
                  {groupName(group)}
                </Text>{' '}
                {groupReason(type, group)}
              </Text>
              <Badge color="red">{numberText(group.errors)}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <GroupFix
              type={type}
              group={group}
              isKept={group.field !== null && keptFields.includes(group.field)}
              {...actions}
            />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

interface ValidRowsProps {
  upload: UploadProcess
  mode: Mode
  stage: Stage & { is: 'faulty' }
}

/** Ways to go on without fixing: the valid rows alone, or the file with its errors for the spreadsheet. */
function ValidRows({ upload, mode, stage: { file, errors, changes } }: ValidRowsProps) {
  const leaveOut = useMutation({
    mutationFn: async () => {
      saveFile(await upload.work.errorsFile(true))
      await upload.leaveOutFailing()
    },
  })
  const failing = errors.rows + changes.leftOut
  const valid = file.records - failing
  const isOfRows = errors.groups.every(({ ofFile }) => !ofFile)
  return (
    <>
      {leaveOut.error !== null && <Problem title="The file could not be made" error={leaveOut.error} />}
      <DownloadButton className="wrapping-button" getFile={() => upload.work.errorsFile(false)}>
        Download the file with its errors
      </DownloadButton>
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
