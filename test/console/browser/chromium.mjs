/** The browser of the tests and of the benchmark. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/** Where Debian and other distributions put it; `CHROMIUM` names another place. */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Keeps the browser from asking its maker for anything: the tests need no network. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The browser's program, or undefined where there is none.
 *
 * @returns {string | undefined}
 */
export const findChromium = () =>
  PLACES.find((place) => place !== undefined && place !== '' && existsSync(place))

/**
 * @param {string} executablePath
 * @returns {Promise<import('playwright-core').Browser>}
 */
export const startChromium = (executablePath) => chromium.launch({ executablePath, args: FLAGS })
