/** The browser of the tests and of the benchmark. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/**
 * Chromium's path on Debian and other distributions; `CHROMIUM` names another one. The headless shell uses a fifth less
 * CPU time for all tests.
 */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * Disabled features. The first three are pages of the address bar, which each window would load although no test shows
 * them: they used as much CPU time as the console. If the flag is given twice, the browser uses only the last list, so
 * this one repeats Playwright's.
 */
const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Keeps the browser from sending requests to its vendor, because the tests need no network. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF}`,
]

/**
 * The browser's executable, or undefined if there is none.
 *
 * @returns {string | undefined}
 */
export const findChromium = () => PLACES.find((place) => place !== undefined && place !== '' && existsSync(place))

/**
 * @param {string} executablePath
 * @param {string[]} flags additional flags
 * @returns {Promise<import('playwright-core').Browser>}
 */
export const startChromium = (executablePath, flags = []) =>
  chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
