/** Prints a value for the secret `SIGNING_KEYS`: a list with one new key. */
import { command, runMain, say } from './script.mjs'
import { newSigningKey } from './secrets.mjs'

await runMain(
  command('new-signing-key', 'Prints a value for the secret SIGNING_KEYS: a list with one new key.')
    .name('npm exec -- node scripts/new-signing-key.mjs')
    .action(() => say(JSON.stringify([newSigningKey()]))),
)
