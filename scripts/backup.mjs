/**
 * `npm run backup -- [--local|--remote] [--env NAME] [--persist-to DIR] [--database BINDING] FILE`: writes the rows of
 * every bound D1 database as SQL, for `npm run restore`. Those of `DB` are in FILE, those of `DB_2` in FILE with
 * `.DB_2` before its extension, and so on. The bytes of documents are in a folder: FILE with `.files` in place of its
 * extension. With --database it writes only this database, and its documents.
 *
 * The local state is copied first, so that a running service and the backup do not block each other.
 */
import './require-node.mjs'
import { backUp } from './backup/back-up.mjs'
import { parseTarget } from './database/target.mjs'

async function main(args) {
  const { place, file, database } = parseTarget('backup', args)
  await backUp(place, file, database, (text) => process.stdout.write(`${text}\n`))
}

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
