/** Shared code of the scripts that users run. */
import path from 'node:path'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

export const say = (text = '') => void process.stdout.write(`${text}\n`)

export const countText = (count, one) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

/** The exit code for unknown or malformed arguments and options. */
const USAGE = 2

/**
 * A command that users run, such as `npm run docs`. `--help` lists its arguments and options. It rejects others.
 *
 * @param {string} name of the npm script
 */
export const command = (name, description) =>
  new Command(`npm run ${name} --`).description(description).exitOverride().helpCommand(false)

/** Adds the option that names an environment. @param {Command} command */
export const withEnvironment = (command) =>
  command.option('-e, --env <name>', 'environment of wrangler.toml, such as sandbox (default: production)')

/** Adds the option that names the directory of a local service. @param {Command} command */
export const withStateDirectory = (command) =>
  command.option(
    '--persist-to <directory>',
    'directory of the local databases and documents',
    (text) => {
      if (text === '' || text.startsWith('-')) throw new InvalidArgumentError('It requires a directory.')
      return text
    },
    path.join('.wrangler', 'state'),
  )

/** Parser of an option that is a whole number from `least` to `most`. */
export const numberFrom =
  (least, most = Number.MAX_SAFE_INTEGER) =>
  (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`It requires a number from ${least} to ${most}.`)
  }

/**
 * Runs a command with the arguments of this process. Prints only the message of an error. If the command is
 * interrupted, the handlers of `exit` run.
 *
 * @param {Command} command
 * @param {() => void} [interrupt] handler of the first signal; by default the process ends
 */
export async function runMain(command, interrupt = () => process.exit(130)) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt)
  try {
    await command.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE
    else {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    }
  }
}
