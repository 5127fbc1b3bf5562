/**
 * Makes the static files of the Worker. Runs before a deployment, before the tests, and when `wrangler dev` starts. For
 * `wrangler dev` it makes everything else that a local service needs, as `npm start` does.
 */
import './require-node.mjs'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'

if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
// Wrangler names the command for which it builds.
if (process.env.WRANGLER_COMMAND === 'dev') {
  const { prepareWranglerDev } = await import('./local/wrangler-dev.mjs')
  await prepareWranglerDev()
}
