/**
 * Checks the API description with the recommended rules of Redocly and with `spectral:oas`. Fails on errors and on
 * warnings.
 */
import './require-node.mjs'
import './no-arguments.mjs'
import path from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { runnerImport } from 'vite'
import { root } from './wrangler.mjs'

const ISSUER = 'https://catalog.example'

/** The description that the service returns. */
async function description() {
  const load = async (file) =>
    (await runnerImport(path.join(root, 'src/worker', file), { root, configFile: false, logLevel: 'error' })).module
  const { describeService } = await load('openapi/endpoints.ts')
  return describeService({
    servers: [ISSUER],
    contact: { name: 'Operator', url: ISSUER, email: 'operator@catalog.example' },
    license: { name: 'Proprietary', url: `${ISSUER}/terms` },
  })
}

async function redoclyProblems(source) {
  // The contract writes a slash at the end of some paths. The type of the library wants every rule to be named.
  const rules = /** @type {any} */ ({ 'no-path-trailing-slash': 'off' })
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source, absoluteRef: path.join(root, 'openapi.json'), config })
  const { paths } = JSON.parse(source)
  // For operations that a browser opens, a redirect is the success.
  const isRedirect = ({ ruleId, location }) => {
    const [, , path, method] = location[0].pointer.split('/')
    const name = path?.replaceAll('~1', '/').replaceAll('~0', '~')
    return ruleId === 'operation-2xx-response' && '302' in paths[name][method].responses
  }
  return problems
    .filter((problem) => !isRedirect(problem))
    .map(({ severity, ruleId, message, location }) => {
      const pointer = location[0]?.pointer ?? ''
      return `redocly ${severity} ${ruleId} ${pointer}: ${message}`
    })
}

async function spectralProblems(source) {
  const spectral = new spectralCore.Spectral()
  /** @type {any} */
  const ruleset = {
    extends: [[spectralRulesets.oas, 'recommended']],
    rules: {
      'path-keys-no-trailing-slash': 'off',
      // Two thirds of its time. The examples are checked by Redocly and by test/worker/openapi/examples.test.ts.
      'oas3-valid-media-example': 'off',
      'oas3-valid-schema-example': 'off',
    },
  }
  spectral.setRuleset(ruleset)
  const problems = await spectral.run(source)
  return problems.map(({ severity, code, message, path: place }) => {
    return `spectral ${['error', 'warning', 'information', 'hint'][severity]} ${code} ${place.join('/')}: ${message}`
  })
}

const source = await description()
const problems = [...(await redoclyProblems(source)), ...(await spectralProblems(source))]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) {
  process.stderr.write(`The API description has ${problems.length} problems.\n`)
  process.exitCode = 1
}
