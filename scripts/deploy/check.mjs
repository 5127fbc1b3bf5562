/**
 * Part of `npm run check`: checks everything about a deployment that can be checked without an account: the
 * configuration, the migrations against the rules of the remote side, and `wrangler deploy --dry-run` for each
 * environment.
 */
import '../require-node.mjs'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { ASSETS_ARE_BUILT, buildAssets } from '../assets.mjs'
import { ruleErrors } from '../migrations/rules.mjs'
import { root, runWrangler } from '../wrangler.mjs'
import { configurationErrors, placeholders } from './configuration.mjs'

/** Largest Worker on the paid plan, in bytes after compression. The bundle is measured before compression. */
const MAX_BUNDLE_BYTES = 10 * 1024 * 1024

const say = (text) => process.stdout.write(`${text}\n`)

function migrationErrors() {
  const directory = path.join(root, 'migrations')
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) =>
      ruleErrors(readFileSync(path.join(directory, name), 'utf8')).map(
        (error) => `migrations/${name}, ${error}`,
      ),
    )
}

/** Bundles the Worker of an environment as a deployment would. */
async function dryRunErrors(environment) {
  const out = mkdtempSync(path.join(tmpdir(), 'deploy-'))
  const label = environment === '' ? 'production' : environment
  try {
    await runWrangler(['deploy', '--dry-run', '--strict', '--env', environment, '--outdir', out], {
      [ASSETS_ARE_BUILT]: '1',
    })
    const bytes = statSync(path.join(out, 'index.js')).size
    say(`${label}: bundle of ${Math.round(bytes / 1024)} KiB`)
    return bytes > MAX_BUNDLE_BYTES
      ? [`${label}: the bundle has ${bytes} bytes, more than ${MAX_BUNDLE_BYTES}`]
      : []
  } catch (error) {
    return [`${label}: ${error.message}`]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

process.chdir(root)
const { rawConfig } = readRawConfig({ config: path.join(root, 'wrangler.toml') })
if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
const environments = ['', ...Object.keys(rawConfig.env ?? {})]
const errors = [
  ...configurationErrors(rawConfig),
  ...migrationErrors(),
  ...(await Promise.all(environments.map(dryRunErrors))).flat(),
]
for (const hint of placeholders(rawConfig)) say(`To be replaced before a deployment: ${hint}`)
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
}
