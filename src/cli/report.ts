import path from 'node:path'
import type { RecordTypeName } from '#shared/records/record-type'
import { type CliError, cliErrorOf, EXIT } from './exits'
import type { Output } from './output'
import { type ConnectionOptions, connect } from './settings'

/** Timeout of the report to the service, in milliseconds. */
const REPORT_MS = 30_000

/** Most characters that the service accepts in a message and in a file name. */
const MAX_LENGTH = 500

/** The service counts code points. Half of one could not be sent. */
function shortened(text: string): string {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text
}

/**
 * Reports a sync run that ended before the service received the file, so that it appears in the list of uploads, sync
 * monitoring and webhooks. Sends only the first line of the error, because the other lines contain values of records.
 * Dry runs and runs of a user are not reported.
 *
 * @param argument names the input file
 */
export async function reportNotSent(
  output: Output,
  type: RecordTypeName,
  argument: string,
  { exit, message }: CliError,
  options: ConnectionOptions & { dryRun?: boolean },
): Promise<void> {
  if (options.dryRun) return
  try {
    // A separate connection, because the command may have timed out. The report is retried like a write.
    const { client, isProgram } = await connect({ ...options, timeout: REPORT_MS }, output, true)
    if (!isProgram) return
    const [line = ''] =
      exit === EXIT.defect ? ['dcs failed because of a bug: see its own log.'] : message.split('\n', 1)
    const body = {
      outcome: 'not_sent',
      message: shortened(line),
      file_name: argument === '-' ? undefined : shortened(path.basename(argument)),
    } as const
    await client.post('/admin/catalogs/v1/{type}/uploads/report', { params: { type }, body })
  } catch (error) {
    output.say(`Could not report this to the service: ${cliErrorOf(error, output.shell.env).message}`)
  }
}
