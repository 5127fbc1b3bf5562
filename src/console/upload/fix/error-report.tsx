import { Accordion, Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleX, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ErrorGroup, ErrorSummary } from '#files/check/row-errors'
import { type FileSummary, missingColumns } from '#files/file-summary'
import type { RecordType } from '#shared/records/record-type'
import { NOTHING_WRITTEN } from '../../changes/deactivation-confirmation'
import { saveFile } from '../../use-download'
import { ActionBar } from '../../widgets/action-bar'
import { DownloadButton } from '../../widgets/download-button'
import { takeFocus } from '../../widgets/hooks'
import { Problem } from '../../widgets/problem'
import { countText, fieldLabel, numberText } from '../../wording'
import type { Mode, Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { ADD_A_COLUMN, MissingFields } from '../questions/missing-fields'
import { groupReason } from './field-hints'
import { type GroupActions, GroupFix } from './group-fix'
import { RowsToFix } from './rows-to-fix'

interface ErrorReportProps {
  type: RecordType
  upload: UploadProcess
  mode: Mode
  keepsMissing: boolean
  stage: Stage & { is: 'faulty' }
}

/** Shows the errors in the rows of a file, with ways to fix them. */
export function ErrorReport({ type, upload, mode, keepsMissing, stage }: ErrorReportProps) {
  const { errors, changes, failure } = stage
  /** The group that the user has opened; null if closed. */
  const [chosenKey, setChosenKey] = useState<string | null>()
  // Counts changes of many rows. After each, the grid finds its rows again.
  const [gridVersion, setGridVersion] = useState(0)
  const lookAgain = () => setGridVersion((last) => last + 1)
  const change = (run: Parameters<UploadProcess['fix']>[0]) => upload.fix(run).then(lookAgain)
  const actions: GroupActions = {
    upload,
    onChange: change,
    ...(mode === 'upsert' && { onLeaveOut: (choice) => upload.leaveOut(choice).then(lookAgain) }),
  }
  /** Errors about required fields without a column. */
  const missingGroups = errors.groups.filter(
    ({ ofFile, code, field }) => ofFile && code === 'required' && field !== null,
  )
  const keptFields = keepsMissing ? missingColumns(stage.file, type).map(({ name }) => name) : []
  const groups = useStableOrder(errors.groups.filter((one) => !missingGroups.includes(one)))
  // When a fixed group disappears, the first group is opened.
  const chosenGroup = groups.find(({ key }) => key === chosenKey)
  const openGroup = chosenKey === null ? undefined : (chosenGroup ?? groups[0])
  // All rows are shown until the user opens a group.
  const groupKey = chosenGroup?.ofFile ? undefined : chosenGroup?.key
  return (
    <Stack gap="md">
      <Paper withBorder p={{ base: 'xs', sm: 'md' }} component="section" aria-labelledby="errors">
        <Stack gap="sm">
          {missingGroups.length > 0 ? (
            <MissingFields type={type} file={stage.file} upload={upload} disabled={false} advice={ADD_A_COLUMN} />
          ) : (
            <ErrorHeadline errors={errors} />
          )}
          {failure !== undefined && <Problem title="The change was not made" error={failure} />}
          <div className="fixing" data-rows={errors.rowCount > 0 || undefined}>
            <RowsToFix type={type} upload={upload} stage={stage} groupKey={groupKey} gridVersion={gridVersion} />
            <Groups
              groups={groups}
              rows={stage.file.records - changes.leftOut}
              needed={stage.file.needed}
              open={openGroup?.key ?? null}
              type={type}
              keptFields={keptFields}
              onOpen={setChosenKey}
              {...actions}
            />
          </div>
        </Stack>
      </Paper>
      {/* If no row has errors, only the columns above are left to fix. */}
      {(errors.rowCount > 0 || errors.errorCount === 0 || changes.count > 0) && (
        <ActionBar
          note={
            changes.leftOut === 0 ? NOTHING_WRITTEN : `${countText(changes.leftOut, 'row is', 'rows are')} excluded.`
          }
        >
          {changes.count > 0 && (
            <Button variant="default" leftSection={<Undo2 size={16} />} onClick={() => change((work) => work.undo())}>
              Undo the last change
            </Button>
          )}
          {errors.rowCount > 0 && <WithoutFixing upload={upload} mode={mode} stage={stage} />}
          {errors.errorCount === 0 && (
            <Button leftSection={<CircleCheck size={18} />} onClick={() => upload.check()}>
              See what would change
            </Button>
          )}
        </ActionBar>
      )}
    </Stack>
  )
}

/** Groups in the order in which they first appeared, so that none moves while another is being fixed. */
function useStableOrder(groups: readonly ErrorGroup[]): ErrorGroup[] {
  const [order] = useState(() => new Map<string, number>())
  for (const { key } of groups) if (!order.has(key)) order.set(key, order.size)
  return groups.toSorted((a, b) => (order.get(a.key) ?? 0) - (order.get(b.key) ?? 0))
}

function ErrorHeadline({ errors: { errorCount, rowCount } }: { errors: ErrorSummary }) {
  const isGood = errorCount === 0
  const ofFile = errorCount > 0 && rowCount === 0
  const title = isGood
    ? 'All rows are valid now'
    : ofFile
      ? 'Some columns are still unclear'
      : `${countText(errorCount, 'error', 'errors')} in ${countText(rowCount, 'row', 'rows')}`
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title means that errors were fixed.
  useEffect(() => {
    // The controls for the fixed errors are gone. In the table, the focus stays in its cell.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <Alert
      color={isGood ? 'green' : 'red'}
      p="xs"
      icon={isGood ? <CircleCheck /> : <CircleX />}
      role={isGood ? 'status' : 'alert'}
      title={
        <Title order={2} size="h5" id="errors" tabIndex={-1} ref={useMergedRef(heading, takeFocus)}>
          {title}
        </Title>
      }
    >
      <Text size="sm">
        {isGood
          ? 'Continue to see what the file would change.'
          : ofFile
            ? 'See below what is wrong. Change the columns here, under “Columns”, or change the header row in ' +
              'your spreadsheet.'
            : 'Fix the rows here or in your spreadsheet: the downloaded file says in the column “_errors” what is ' +
              'wrong. Row numbers are those of your spreadsheet.'}
      </Text>
    </Alert>
  )
}

function groupName({ field, ofFile }: ErrorGroup): string {
  if (field !== null) return fieldLabel(field)
  return ofFile ? 'The file' : 'The whole row'
}

interface GroupsProps extends GroupActions {
  groups: readonly ErrorGroup[]
  type: RecordType
  /** Fields without a column, if existing values are kept. */
  keptFields: readonly string[]
  /** Number of rows that are not excluded. */
  rows: number
  needed: FileSummary['needed']
  /** The key of the open group; null if none is open. */
  open: string | null
  onOpen: (key: string | null) => void
}

/** Fixes for many rows at once, grouped by error. The open group shows its rows. */
function Groups({ groups, rows, needed, open, type, keptFields, onOpen, ...actions }: GroupsProps) {
  const rowsNeeding = ({ field }: ErrorGroup) => needed.find((one) => one.field === field)?.rows ?? rows
  return (
    <Accordion variant="separated" value={open} onChange={onOpen} order={3} keepMounted={false}>
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
              <Badge color="red">{numberText(group.errorCount)}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <GroupFix
              type={type}
              group={group}
              // If every row that needs a value fails, they are all new records: one value for all overwrites nothing.
              isKept={group.field !== null && keptFields.includes(group.field) && group.errorCount < rowsNeeding(group)}
              {...actions}
            />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

interface WithoutFixingProps {
  upload: UploadProcess
  mode: Mode
  stage: Stage & { is: 'faulty' }
}

/** Alternatives to fixing rows here: continue with only the valid rows, or use a spreadsheet. */
function WithoutFixing({ upload, mode, stage: { file, errors, changes } }: WithoutFixingProps) {
  const leaveOut = useMutation({
    mutationFn: async () => {
      saveFile(await upload.errorsFile({ onlyFailing: true }))
      await upload.leaveOutFailing()
    },
  })
  const failing = errors.rowCount + changes.leftOut
  const valid = file.records - failing
  const isOfRows = errors.groups.every(({ ofFile }) => !ofFile)
  return (
    <>
      <Problem title="The failing rows could not be excluded" error={leaveOut.error} />
      <DownloadButton getFile={() => upload.errorsFile({ onlyFailing: false })}>
        Download the file with its errors
      </DownloadButton>
      {mode === 'upsert' && isOfRows && valid > 0 && (
        <Button variant="default" loading={leaveOut.isPending} onClick={() => leaveOut.mutate()}>
          Continue with {countText(valid, 'valid row', 'valid rows')} and download the other {numberText(failing)}
        </Button>
      )}
    </>
  )
}
