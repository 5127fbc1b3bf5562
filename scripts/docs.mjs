/** `npm run docs`: writes the generated tables to `docs/contract.md`. A test fails if they are out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { importBundled } from './bundle.mjs'
import { command, runMain } from './script.mjs'
import { root } from './wrangler.mjs'

async function main() {
  const contract = path.join(root, 'docs', 'contract.md')
  const { fillBlocks } = await importBundled('scripts/docs/tables.ts')
  writeFileSync(contract, fillBlocks(readFileSync(contract, 'utf8')))
}

await runMain(command('docs', 'Writes the generated tables into docs/contract.md.').action(main))
