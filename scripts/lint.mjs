/** `npm run lint`: Biome, the layers of `src` and the prose of the documents. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { layerFaults } from './lint/layers.mjs'
import { proseFaults } from './lint/prose.mjs'
import { command, runMain } from './script.mjs'
import { root } from './wrangler.mjs'

function main() {
  const biome = path.join(root, 'node_modules', '.bin', 'biome')
  const { status } = spawnSync(biome, ['check', '--error-on-warnings', '.'], { cwd: root, stdio: 'inherit' })
  const faults = [...layerFaults(), ...proseFaults()]
  if (faults.length > 0) process.stderr.write(`${faults.join('\n')}\nSee docs/architecture.md and docs/glossary.md.\n`)
  if (status !== 0 || faults.length > 0) process.exitCode = 1
}

await runMain(
  command('lint', 'Checks the code with Biome, the layers of src and the prose of the documents.').action(main),
)
