/**
 * Makes the static files of the Worker. Runs before a deployment, and before the tests.
 */
import './require-node.mjs'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'

if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
