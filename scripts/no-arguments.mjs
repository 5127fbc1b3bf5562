/** Imported by scripts that take no arguments: they refuse each, and end with 2. */
import { parseArgs } from 'node:util'

try {
  parseArgs()
} catch ({ message }) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
