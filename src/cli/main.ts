import './node-setup'
import { createWriteStream, fstatSync } from 'node:fs'
import { CliError, EXIT } from './exits'
import { run } from './program'

const stopSignal = new AbortController()
// A second signal ends the process immediately.
process.once('SIGINT', () => stopSignal.abort(new CliError(EXIT.interrupted, 'Stopped by Ctrl-C.')))
process.once('SIGTERM', () => stopSignal.abort(new CliError(EXIT.terminated, 'Stopped by SIGTERM.')))
const { env, stdin, stderr } = process
const STDOUT = 1
const stdoutFile = fstatSync(STDOUT).isFile() ? STDOUT : undefined
// If a full disk accepts a part of the data, Node's own stream for files loses the rest.
const stdout = stdoutFile === undefined ? process.stdout : createWriteStream('', { fd: STDOUT, autoClose: false })
// Callers that wait for a write receive its error. A failed progress message must not end the command.
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
// Otherwise the process would wait for the end of standard input, or for a login.
stdin.destroy()
if (stopSignal.signal.aborted) process.exit()
