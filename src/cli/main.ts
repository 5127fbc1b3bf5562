import './engine'
import { EXIT } from './exits'
import { run } from './program'

/** Ends when the result cannot be written. A reader that has enough (`| head`) is no failure. */
function endOfResult(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  process.stderr.write(`dcs: The result cannot be written: ${error.message}\n`)
  process.exit(EXIT.usage)
}

process.stdout.on('error', endOfResult)
process.exitCode = await run(process.argv.slice(2), process)
