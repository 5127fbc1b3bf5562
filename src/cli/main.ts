import './node-setup'
import { createWriteStream, fstatSync } from 'node:fs'
import { CliError, EXIT } from './exits'
import { run } from './program'

const stopSignal = new AbortController()
// A second signal ends the process at once.
process.once('SIGINT', () => stopSignal.abort(new CliError(EXIT.interrupted, 'Stopped by Ctrl-C.')))
process.once('SIGTERM', () => stopSignal.abort(new CliError(EXIT.terminated, 'Stopped by SIGTERM.')))
const { env, stdin, stderr } = process
const STDOUT = 1
const stdoutFile = fstatSync(STDOUT).isFile() ? STDOUT : undefined
// Node's own stream for a file forgets the rest of what a full disk takes in part.
const stdout = stdoutFile === undefined ? process.stdout : createWriteStream('', { fd: STDOUT, autoClose: false })
// What waits for a write learns of its failure. A line about the progress is not worth an end.
const ignore = () => {}
stdout.on('error', ignore)
stderr.on('error', ignore)
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stdoutFile,
  stderr,
  signal: stopSignal.signal,
})
// Otherwise it would wait for the end of standard input, or for a login.
stdin.destroy()
if (stopSignal.signal.aborted) process.exit()
