/** Prints a value for the secret `SIGNING_KEYS`: a list with one new key. */
import './no-arguments.mjs'
import { newSigningKey } from './secrets.mjs'

process.stdout.write(`${JSON.stringify([newSigningKey()])}\n`)
