/**
 * `npm run restore -- [--documents|--check] [--local|--remote] [--env NAME] [--persist-to DIR] [--database BINDING]
 * FILE`: brings a backup of all databases with their documents, or of one, into new or empty databases. It restores
 * the backup into temporary databases first, so that a backup that was cut or changed changes nothing. With --documents
 * it only stores the bytes of documents again that the databases have. A local state must not be in use.
 *
 * With --check it changes nothing: it compares the temporary databases with the service, which may be running.
 */
import './require-node.mjs'
import { compare } from './backup/compare.mjs'
import { restore } from './backup/restore.mjs'
import { parseTarget } from './database/target.mjs'
import { ensureStateDirectory, lockState } from './local/state-directory.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

async function main(args) {
  const { place, file, database, flags } = parseTarget('restore', args, ['documents', 'check'])
  if (flags.length > 1) throw new Error('Choose one of --documents and --check.')
  if (flags.includes('check')) return compare(place, file, database, say)
  const work = () => restore(place, file, { database, documentsOnly: flags.includes('documents') }, say)
  if (place.remote) return work()
  await ensureStateDirectory(place.stateDirectory)
  const unlock = lockState(place.stateDirectory, 'a restore')
  try {
    await work()
  } finally {
    unlock()
  }
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
