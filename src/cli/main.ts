import './node-setup'
import { CliError, EXIT } from './exits'
import { run } from './program'

/** Ends when the result cannot be written. A reader that has enough (`| head`) is no failure. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  process.stderr.write(`dcs: The result cannot be written: ${error.message}\n`)
  process.exit(EXIT.usage)
}

const stopSignal = new AbortController()
// A second signal ends the process at once.
process.once('SIGINT', () => stopSignal.abort(new CliError(EXIT.interrupted, 'Stopped by Ctrl-C.')))
process.once('SIGTERM', () => stopSignal.abort(new CliError(EXIT.terminated, 'Stopped by SIGTERM.')))
process.stdout.on('error', onOutputError)
const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, signal: stopSignal.signal })
// Otherwise it would wait for the end of standard input, or for a login.
if (stopSignal.signal.aborted) process.exit()
