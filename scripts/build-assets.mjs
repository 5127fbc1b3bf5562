/** Makes the static files of the Worker; before a deployment, before the tests, and when `wrangler dev` starts. */
import { buildAssets } from './assets.mjs'

await buildAssets()
