import path from 'node:path'
import type { RecordTypeName } from '#shared/records/record-type'
import { type CliError, cliErrorOf, EXIT } from './exits'
import type { Output } from './output'
import { type ConnectionOptions, connect } from './settings'

/** How long it may take to tell the service, in milliseconds. */
const REPORT_MS = 30_000

/** Characters of a message, and of a name, that the service takes. */
const MAX_LENGTH = 500

/** The service counts code points. Half of one could not be sent. */
function shortened(text: string): string {
  const characters = [...text]
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : text
}

/**
 * Tells the service of a night that has ended before the service has seen the file, so that its list, watch and
 * webhooks have it. It gets the first line of the error, because values of records stand below it. Nothing is told of a
 * dry run, or for a person.
 *
 * @param argument what names the file
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
    // Of its own, because the time of the command may be over. It is repeated as a write is.
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
