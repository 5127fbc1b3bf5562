/** The assumptions about the platform on which the code relies, and which only the platform can confirm. */
import { IN_THE_ACCOUNT } from './in-the-account.mjs'
import { ON_THE_SERVICE } from './on-the-service.mjs'
import { THROUGH_THE_EDGE } from './through-the-edge.mjs'

/** @type {import('./verdicts.mjs').Assumption[]} */
export const ASSUMPTIONS = [...ON_THE_SERVICE, ...THROUGH_THE_EDGE, ...IN_THE_ACCOUNT]
