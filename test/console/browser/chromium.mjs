/** The browser of the tests and of the benchmark. */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

/**
 * Where Debian and other distributions put it; `CHROMIUM` names another place. The one without windows takes a fifth
 * less CPU for all tests.
 */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/**
 * Parts of the browser that are switched off. The first three are pages of the address bar, which each window would
 * load although no test shows it: they took as much CPU as the console. Of two such lists the browser reads the last
 * one, so the others are those that Playwright switches off.
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
  `--disable-features=${FEATURES_OFF}`,
]

/**
 * The browser's program, or undefined if there is none.
 *
 * @returns {string | undefined}
 */
export const findChromium = () => PLACES.find((place) => place !== undefined && place !== '' && existsSync(place))

/**
 * @param {string} executablePath
 * @param {string[]} flags more of them
 * @returns {Promise<import('playwright-core').Browser>}
 */
export const startChromium = (executablePath, flags = []) =>
  chromium.launch({ executablePath, args: [...FLAGS, ...flags] })
