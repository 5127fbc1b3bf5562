/** Checks the API description with the recommended rules of Redocly. Fails on errors and on warnings. */
import './require-node.mjs'
import './no-arguments.mjs'
import path from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { loadDescription } from './client/types.mjs'
import { root } from './wrangler.mjs'

const { document } = await loadDescription()

/** For an operation that a browser opens, a redirect is the success. */
function isRedirect({ ruleId, location }) {
  const [, , pointer, method] = location[0].pointer.split('/')
  const name = pointer?.replaceAll('~1', '/').replaceAll('~0', '~')
  return ruleId === 'operation-2xx-response' && '302' in document.paths[name][method].responses
}

// The contract writes a slash at the end of some paths. The type of the library wants every rule to be named.
const rules = /** @type {any} */ ({ 'no-path-trailing-slash': 'off' })
const problems = await lintFromString({
  source: JSON.stringify(document),
  absoluteRef: path.join(root, 'openapi.json'),
  config: await createConfig({ extends: ['recommended'], rules }),
})
const relevant = problems.filter((problem) => !isRedirect(problem))
for (const { severity, ruleId, message, location } of relevant) {
  process.stderr.write(`${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}\n`)
}
if (relevant.length > 0) {
  process.stderr.write(`The API description has ${relevant.length} problems.\n`)
  process.exitCode = 1
}
