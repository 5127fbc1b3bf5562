/** Every assumption of this project about the platform that only the platform can confirm. */
import { IN_THE_ACCOUNT } from './in-the-account.mjs'
import { ON_THE_SERVICE } from './on-the-service.mjs'
import { THROUGH_THE_EDGE } from './through-the-edge.mjs'
import { notTried } from './verdicts.mjs'

/** What no command can try, and why. */
const UNTRIED = {
  'A token that may not write is refused with 401 or 403 before its call is looked at':
    'this needs a second token: call `npm run setup` with one that may only read',
  '`npx wrangler login` serves as well as a token': 'this needs a person in a browser',
  'Browser login works with your provider': 'this needs a person in a browser: docs/login.md',
  'A DNS record that a host has is replaced by a deployment, with its certificate': 'the host has its Worker already',
  'Two releases live side by side while a deployment spreads': 'there is one release with these tables',
  'A full database says so (`Exceeded maximum DB size`)': 'this needs a database of 10 GB',
  'A lost connection and a reset database say so (the table of passing faults)': 'nobody can provoke them',
  'A migration ends in 30 seconds on your data': '`npm run check` reckons it; Cloudflare makes copies of no database',
  'Reads from copies see what their caller has written': 'read replication is turned on in the dashboard, per database',
}

/** @type {import('./verdicts.mjs').Assumption[]} */
export const ASSUMPTIONS = [
  ...ON_THE_SERVICE,
  ...THROUGH_THE_EDGE,
  ...IN_THE_ACCOUNT,
  ...Object.entries(UNTRIED).map(([sentence, reason]) => ({ sentence, measure: async () => notTried(reason) })),
]
