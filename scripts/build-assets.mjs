/**
 * Makes the static files of the Worker. Runs before a deployment, before the tests, and when `wrangler dev` starts.
 */
import './require-node.mjs'
import './no-arguments.mjs'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'

if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
