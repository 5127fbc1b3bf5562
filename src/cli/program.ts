import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { ENCODINGS } from '#files/text/encodings'
import { RECORD_TYPES } from '#shared/records/record-type'
import { version } from '../../package.json'
import { changes } from './changes'
import { cliErrorOf, EXIT, type ExitCode, isClosedPipe, usageError } from './exits'
import { type LoginOptions, login, logout, whoami } from './login'
import { Output, type OutputOptions } from './output'
import { pull } from './pull'
import { type PushOptions, push, validate } from './push'
import { type Connection, type ConnectionOptions, connect } from './settings'
import type { Shell } from './shell'
import { type CheckOptions, check, restore, status } from './status'
import { approve, discard, uploads } from './uploads'

type CommonOptions = OutputOptions & ConnectionOptions

const list = (text: string, before: readonly string[] = []): readonly string[] => [...before, ...text.split(',')]

const each = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is not a whole number.')
  return Number(text)
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30s`, `90m`, `20h` or `2d`, in milliseconds. */
function duration(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (number === undefined || factor === undefined)
    throw new InvalidArgumentError('It is not a time, such as 30s, 90m, 20h or 2d.')
  return Number(number) * factor
}

/** The longest time of a timer, in milliseconds. A longer one would end at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** As `duration`, for what a timer can hold. */
function timeLimit(text: string): number {
  const time = duration(text)
  if (time > LONGEST_TIMEOUT_MS) throw new InvalidArgumentError('It is longer than 24 days.')
  return time
}

/** Characters of a line of help, if the width of the terminal is not known. */
const HELP_WIDTH = 80

const EXITS = `
Ends with 0 done or nothing to do, 2 wrong use or a file that is missing or too
old, 3 the file has errors, 4 stopped by a guard or a quota, or overtaken by
another program, 5 credentials, 6 not reachable (safe to run again), 7 changes
pending (--exit-code), 130 and 143 stopped by Ctrl-C and SIGTERM, 1 a defect of
dcs.

Where the service is and who calls: --url, DCS_URL; DCS_CLIENT_ID,
DCS_CLIENT_SECRET, DCS_API_KEY, or the names of files with the secrets,
DCS_CLIENT_SECRET_FILE, DCS_API_KEY_FILE; or a profile (--profile, which counts
before these, or DCS_PROFILE).`

const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values)

const catalogType = (): Argument => new Argument('<type>', 'which catalog').choices(RECORD_TYPES)

/** Adds the options that all commands have. */
const withCommonOptions = (command: Command): Command =>
  command.option('--json', 'print the result as one JSON object').option('--quiet', 'print nothing but the result')

/** Default time limits: of commands that send or fetch a catalog, and of the others. */
const LONG = '10m'
const SHORT = '30s'

/** Adds the options of commands that call the service. */
const withConnectionOptions = (command: Command, timeout: string): Command =>
  withCommonOptions(command)
    .option('--url <address>', 'where the service is')
    .option('--profile <name>', 'settings of this name; they count before the environment')
    .addOption(
      new Option('--timeout <time>', 'end after this time, for everything together')
        .argParser(timeLimit)
        .default(duration(timeout), timeout),
    )
    .option('--verbose', 'print each request with its id')

/** Adds the arguments and options that say which file is read, and how. */
const withFileOptions = (command: Command): Command =>
  command
    .addArgument(catalogType())
    .argument('<file>', 'a file, - for standard input, or a pattern')
    .option('--max-age <time>', 'refuse a file that was written longer ago: 90m, 20h, 2d', duration)
    .option('--newest', 'of several files, take the one that was written last; needs --max-age')
    .option('--done-file <file>', 'refuse a file that is newer than this one; * stands for its name')
    .option('--errors <file>', 'write the file with a column of its errors')
    .option('--sheet <name>', 'which sheet of a workbook')
    .addOption(choice('--cells <which>', 'what is written of doubtful cells', ['shown', 'stored', 'empty']))
    .option('--active <values>', 'the values of a status column that mean active, separated by commas', list)
    .addOption(choice('--null-markers <choice>', 'what becomes of cells such as NA or -', ['empty', 'keep']))
    .addOption(choice('--lists <choice>', 'whether “a; b” in a list is two items', ['split', 'keep']))
    .addOption(
      choice('--broken-text <choice>', 'what becomes of wrong characters, such as “CafÃ©”', ['repair', 'keep']),
    )
    .addOption(choice('--blank-active <answer>', 'whether records whose status is blank are active', ['yes', 'no']))
    .addOption(choice('--totals <choice>', 'what becomes of rows that probably aren’t records', ['keep', 'leave-out']))
    .addOption(
      choice('--hidden-rows <choice>', 'what becomes of rows that the spreadsheet hides', ['read', 'leave-out']),
    )
    .addOption(choice('--encoding <name>', 'how a file is written that is not UTF-8', ENCODINGS))
    .option(
      '--map <column=field>',
      'the field that a column becomes; “column=” leaves it out, “*=” all that are not clear; repeatable',
      each,
    )
    .option('--type-is-right', 'take the file although it looks like one of another catalog')

/** Adds the options that let a write through. */
const withGuardOptions = (command: Command): Command =>
  command
    .option('--confirm-shrink', 'let any number of records be deactivated')
    .option('--allow-emptied <fields>', 'fields that any record may lose, separated by commas; all', list)

/** Runs the work of a command. Keeps its exit code, and prints its error. */
type End = (work: (output: Output) => Promise<ExitCode>, options: OutputOptions, isRead: boolean) => Promise<void>

/**
 * Makes the action of a command that calls the service. commander gives it the arguments, the options and the command.
 * The work gets the first two.
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

/** The commands that read or write a file. */
function addFileCommands(program: Command, end: End, reads: ActionOf, writes: ActionOf): void {
  withGuardOptions(withFileOptions(withConnectionOptions(program.command('push'), LONG)))
    .description('bring a catalog to the state of a file')
    .option('--reconcile', 'the file is the whole catalog: deactivate what it leaves out')
    .option('--max-shrink <percent>', 'stop if more of the active records would be deactivated', wholeNumber)
    .option('--max-emptied <number>', 'how many records may lose a value of a field; without it none', wholeNumber)
    .addOption(
      choice('--other-names <choice>', 'ids of the catalog with a completely different name: the same records?', [
        'same',
      ]),
    )
    .option('--dry-run', 'only say what would change')
    .option('--diff <file>', 'write the list of changes as CSV')
    .addOption(choice('--last-line <choice>', 'the last line has no line break: it is complete', ['keep']))
    .option('--exit-code', 'with --dry-run: end with 7 if changes are pending')
    .action(writes(push))
  withFileOptions(withCommonOptions(program.command('validate')))
    .description('check a file by the rules of the service, without a service')
    .action((type, file, options: PushOptions & OutputOptions) =>
      end((output) => validate(output, type, file, options), options, true),
    )
  withConnectionOptions(program.command('pull'), LONG)
    .description('write the active records of a catalog to stdout')
    .addArgument(catalogType())
    .addOption(new Option('--format <format>').choices(['csv', 'xlsx', 'ndjson']).default('csv'))
    .option('--output <file>', 'write it there, whole or not at all')
    .action(reads(pull))
  withConnectionOptions(program.command('changes'), LONG)
    .description('write what has changed since the last run to stdout, a JSON object on each line')
    .addArgument(catalogType())
    .requiredOption('--state <file>', 'how far the copy is complete; saved last')
    .action(reads(changes))
}

/** The commands about catalogs, their uploads and revisions, and those of the login. */
function addStateCommands(program: Command, end: End, reads: ActionOf, writes: ActionOf): void {
  withConnectionOptions(program.command('status'), SHORT)
    .description('tell the state of the catalogs')
    .option('--check', 'for monitors: end with 0 all is well, 1 a person should look, 2 late or not reachable')
    .option('--allow-unwatched <types>', 'with --check: catalogs that need no watch, separated by commas; all', list)
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
    .description('list the newest uploads of a catalog: written, refused and waiting')
    .addArgument(catalogType())
    .action(reads(uploads))
  withGuardOptions(withConnectionOptions(program.command('approve'), LONG))
    .description('write a file that waits')
    .argument('<upload>', 'its id')
    .option('--dry-run', 'only say what would change')
    .option('--older', 'even if a program has written since the file came')
    .action(writes(approve))
  withConnectionOptions(program.command('discard'), SHORT)
    .alias('reject')
    .description('discard a file that waits')
    .argument('<upload>', 'its id')
    .action(writes(discard))
  withConnectionOptions(program.command('restore'), LONG)
    .description('take a catalog back to a revision')
    .addArgument(catalogType())
    .requiredOption('--revision <number>', 'which one', wholeNumber)
    .option('--confirm-shrink', 'let any number of records be deactivated')
    .option('--yes', 'do it; without it the changes are only shown')
    .action(writes(restore))
  withCommonOptions(program.command('login'))
    .option('--url <address>', 'where the service is')
    .option('--profile <name>', 'keep it under this name')
    .description('log in with the browser, for an hour')
    .option('--workspace <id>', 'which one, for members of several')
    .action((options: LoginOptions & CommonOptions) => end((output) => login(options, output), options, false))
  withCommonOptions(program.command('logout'))
    .description('forget the login')
    .option('--profile <name>', 'of this name')
    .action((options: CommonOptions) => end((output) => logout(options, output), options, false))
  withConnectionOptions(program.command('whoami'), SHORT)
    .description('tell who calls, in which workspace and with which rights')
    .action(reads(whoami))
}

function commands(end: End): Command {
  const program = new Command('dcs')
    .description('Writes and reads the catalogs of a Dataset Catalog Service.')
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
 * @returns how the process ends
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
    // commander has printed the error to stderr. A program that asks for JSON reads stdout.
    if (args.includes('--json')) await new Output(shell, { json: true }, true).failure(usageError(error.message))
    return EXIT.usage
  }
  return exit
}
