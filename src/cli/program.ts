import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { RECORD_TYPES } from '#shared/records/record-type'
import { WARNING_CODES, type WarningCode } from '#shared/records/warning-codes'
import { keysOf } from '#shared/text/keys-of'
import { version } from '../../package.json'
import { changes } from './changes'
import { cliErrorOf, EXIT, type ExitCode, isClosedPipe, usageError } from './exits'
import { warningCodes } from './fail-on'
import { type PushOptions, validate } from './file-to-send'
import { type LoginOptions, login, logout, whoami } from './login'
import { Output, type OutputOptions } from './output'
import { pull } from './pull'
import { push } from './push'
import { type Connection, type ConnectionOptions, connect } from './settings'
import type { Shell } from './shell'
import { type CheckOptions, check, restore, status } from './status'
import { approve, discard, uploads } from './uploads'

type CommonOptions = OutputOptions & ConnectionOptions

const list = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...text.split(',')]

/** Parses the codes of `--fail-on`. A misspelled one would never fail. */
function codes(text: string, before: readonly WarningCode[] = []): readonly WarningCode[] {
  const known = warningCodes(text)
  if (known === undefined) throw new InvalidArgumentError(`The codes are ${keysOf(WARNING_CODES).join(', ')}.`)
  return [...before, ...known]
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is not a whole number.')
  return Number(text)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `30s`, `90m`, `20h` or `2d` to milliseconds. */
function duration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (number === undefined || factor === undefined)
    throw new InvalidArgumentError('It is not a time, such as 30s, 90m, 20h or 2d.')
  return Number(number) * factor
}

/** Longest delay of a timer, in milliseconds. A longer one would fire immediately. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** Like `duration`, within the longest delay of a timer. */
function timeLimit(text: string): number {
  const time = duration(text)
  if (time > LONGEST_TIMEOUT_MS) throw new InvalidArgumentError('It is longer than 24 days.')
  return time
}

/** Characters per line of help, if the width of the terminal is unknown. */
const HELP_WIDTH = 80

const EXITS = `
Exit codes: 0 success or no changes, 2 invalid usage, or the file is missing, too
old or ambiguous, 3 the file has errors or needs your input, 4 blocked by a guard
or a quota, or the catalog changed during the run, 5 credentials, 6 the service
is not reachable (safe to run again), 7 changes are pending (--exit-code),
8 written, but the file was replaced in the meantime (run again), 130 and 143
stopped by Ctrl-C and SIGTERM, 1 a bug in dcs.

Service URL and credentials: --url or DCS_URL; DCS_CLIENT_ID, DCS_CLIENT_SECRET
and DCS_API_KEY. To read the secrets from files, set DCS_CLIENT_SECRET_FILE and
DCS_API_KEY_FILE. Or use a profile: --profile, which takes precedence over these
variables, or DCS_PROFILE.`

const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values)

const catalogType = (): Argument => new Argument('<type>', 'the catalog').choices(RECORD_TYPES)

/** Adds the options of all commands. */
const withCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'print the result as a JSON object')
    .option('--quiet', 'print only the result, and why a command fails')

/** Default timeouts: for commands that send or fetch a catalog, and for the others. */
const LONG = '10m'
const SHORT = '30s'

/** Adds the options of commands that connect to the service. */
const withConnectionOptions = (command: Command, timeout: string): Command =>
  withCommonOptions(command)
    .option('--url <address>', 'URL of the service')
    .option('--profile <name>', 'profile to use; takes precedence over environment variables')
    .addOption(
      new Option('--timeout <time>', 'stop after this time, all requests together')
        .argParser(timeLimit)
        .default(duration(timeout), timeout),
    )
    .option('--verbose', 'print each request with its ID')

/** Adds the arguments and options for the input file. */
const withFileOptions = (command: Command): Command =>
  command
    .addArgument(catalogType())
    .argument('<file>', 'a file, a pattern, or - for standard input')
    .option('--max-age <time>', 'fail if the file was modified longer ago: 90m, 20h, 2d', duration)
    .option('--newest', 'use the most recently modified matching file; requires --max-age')
    .option(
      '--done-file <file>',
      'fail if the input file is newer than this marker file; * stands for the name of the input file',
    )
    .option('--errors <file>', 'write a copy with an error column, if the file has errors')
    .option('--answers <file>', 'answers to questions about the file; at a terminal, dcs asks and saves them there')
    .option('--fail-on <codes>', 'fail if the file has warnings with one of these codes, separated by commas', codes)

/** Adds the options that override guards. */
const withGuardOptions = (command: Command): Command =>
  command
    .option('--confirm-shrink', 'allow any number of records to be deactivated')
    .option('--allow-emptied <fields>', 'fields that may lose any number of values, separated by commas; or all', list)

/** Runs a command. Stores its exit code, and prints its error. */
type End = (work: (output: Output) => Promise<ExitCode>, options: OutputOptions, isRead: boolean) => Promise<void>

/**
 * Creates the action of a command that connects to the service. commander passes the arguments, the options and the
 * command; the function receives the first two.
 */
const clientAction =
  (end: End, isWrite: boolean) =>
  <Input extends unknown[]>(work: (connection: Connection, output: Output, ...input: Input) => Promise<ExitCode>) =>
  (...input: unknown[]): Promise<void> => {
    const options = input.at(-2) as CommonOptions
    return end(
      async (output) => work(await connect(options, output, isWrite), output, ...(input.slice(0, -1) as Input)),
      options,
      !isWrite,
    )
  }

type ActionOf = ReturnType<typeof clientAction>

/** Adds the commands that read or write a file. */
function addFileCommands(program: Command, end: End, reads: ActionOf, writes: ActionOf): void {
  withGuardOptions(withFileOptions(withConnectionOptions(program.command('push'), LONG)))
    .description('upload a file to a catalog')
    .option('--reconcile', 'the file is the whole catalog: deactivate records that are missing from it')
    .option('--max-shrink <percent>', 'stop if more of the active records would be deactivated', wholeNumber)
    .option('--max-emptied <number>', 'how many records may lose the value of a field; default: none', wholeNumber)
    .addOption(
      choice('--inactive <choice>', 'what to do with inactive records that the file contains without a status', [
        'keep',
        'activate',
      ]),
    )
    .option('--dry-run', 'only show what would change')
    .option('--diff <file>', 'write the list of changes as CSV')
    .addOption(choice('--last-line <choice>', 'accept a file whose last line has no line break', ['keep']))
    .option('--exit-code', 'with --dry-run: exit with 7 if changes are pending')
    .action(writes(push))
  withFileOptions(withCommonOptions(program.command('validate')))
    .description('check a file against the rules of the service, offline')
    .action((type, file, options: PushOptions & OutputOptions) =>
      end((output) => validate(output, type, file, options), options, true),
    )
  withConnectionOptions(program.command('pull'), LONG)
    .description('download the active records of a catalog')
    .addArgument(catalogType())
    .addOption(new Option('--format <format>').choices(['csv', 'xlsx', 'ndjson']).default('csv'))
    .option('--output <file>', 'write to this file, completely or not at all')
    .action(reads(pull))
  withConnectionOptions(program.command('changes'), LONG)
    .description('print changes since the last run, one JSON object per line')
    .addArgument(catalogType())
    .requiredOption('--state <file>', 'file that stores how far the copy is complete')
    .action(reads(changes))
}

/** Adds the commands for catalogs, uploads, revisions and the login. */
function addStateCommands(program: Command, end: End, reads: ActionOf, writes: ActionOf): void {
  withConnectionOptions(program.command('status'), SHORT)
    .description('show the state of the catalogs')
    .option('--check', 'for monitoring systems: exit with 0 OK, 1 warning, 2 late or not reachable')
    .option(
      '--allow-unwatched <types>',
      'with --check: catalogs that need no sync monitoring, separated by commas; or all',
      list,
    )
    .action((options: { check?: boolean } & CheckOptions & CommonOptions) =>
      end(
        async (output) => {
          const getConnection = () => connect(options, output)
          return options.check ? check(getConnection, output, options) : status(await getConnection(), output)
        },
        options,
        true,
      ),
    )
  withConnectionOptions(program.command('uploads'), SHORT)
    .description('list the newest uploads of a catalog: written, rejected and pending')
    .addArgument(catalogType())
    .action(reads(uploads))
  withGuardOptions(withConnectionOptions(program.command('approve'), LONG))
    .description('approve and write a pending upload')
    .argument('<upload>', 'its ID')
    .option('--dry-run', 'only show what would change')
    .option('--older', 'approve even if the catalog has been updated since the upload')
    .action(writes(approve))
  withConnectionOptions(program.command('discard'), SHORT)
    .alias('reject')
    .description('discard a pending upload')
    .argument('<upload>', 'its ID')
    .action(writes(discard))
  withConnectionOptions(program.command('restore'), LONG)
    .description('restore a catalog to a revision')
    .addArgument(catalogType())
    .requiredOption('--revision <number>', 'the revision to restore', wholeNumber)
    .option('--confirm-shrink', 'allow any number of records to be deactivated')
    .option('--yes', 'restore it; without this, only show the changes')
    .action(writes(restore))
  withCommonOptions(program.command('login'))
    .option('--url <address>', 'URL of the service')
    .option('--profile <name>', 'save the login under this profile')
    .description('log in with the browser, for one hour')
    .option('--workspace <id>', 'the workspace, for members of several')
    .action((options: LoginOptions & CommonOptions) => end((output) => login(options, output), options, false))
  withCommonOptions(program.command('logout'))
    .description('delete the saved login')
    .option('--profile <name>', 'the profile of the login')
    .action((options: CommonOptions) => end((output) => logout(options, output), options, false))
  withConnectionOptions(program.command('whoami'), SHORT)
    .description('show the current user or client, its workspace and scopes')
    .action(reads(whoami))
}

function commands(end: End): Command {
  const program = new Command('dcs')
    .description('Uploads files to the catalogs of a Dataset Catalog Service, and downloads catalogs.')
    .version(version)
    .addHelpText('after', EXITS)
  for (const add of [addFileCommands, addStateCommands])
    add(program, end, clientAction(end, false), clientAction(end, true))
  return program
}

/**
 * Runs a command.
 *
 * @param args as the shell has split them
 * @returns the exit code
 */
export async function run(args: readonly string[], shell: Shell): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done
  const end: End = async (work, options, isRead) => {
    const output = new Output(shell, options, isRead)
    try {
      exit = await work(output)
    } catch (error) {
      if (isClosedPipe(error)) return
      const cliError = cliErrorOf(error, shell.env)
      exit = cliError.exit
      await output.failure(cliError)
    }
  }
  const program = commands(end)
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void shell.stdout.write(text),
      writeErr: (text) => void shell.stderr.write(text),
      getOutHelpWidth: () => shell.stdout.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => shell.stderr.columns ?? HELP_WIDTH,
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return EXIT.done
    // commander has printed the error to stderr, but callers that use `--json` read stdout.
    if (args.includes('--json')) await new Output(shell, { json: true }, true).failure(usageError(error.message))
    return EXIT.usage
  }
  return exit
}
