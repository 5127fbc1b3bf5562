/** `npm run docs`: writes the generated tables into `docs/contract.md`. A test fails when they are out of date. */
import './require-node.mjs'
import './no-arguments.mjs'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { runnerImport } from 'vite'
import { root } from './wrangler.mjs'

const contract = path.join(root, 'docs', 'contract.md')

// Vite finds the files that TypeScript imports without their endings; Node does not.
const { module } = await runnerImport(path.join(root, 'scripts', 'docs', 'tables.ts'), {
  root,
  configFile: false,
})
writeFileSync(contract, module.fillBlocks(readFileSync(contract, 'utf8')))
