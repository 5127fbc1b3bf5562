import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

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

/** The browser's program, or undefined where there is none. */
export const findChromium = (): string | undefined =>
  PLACES.find((place): place is string => place !== undefined && place !== '' && existsSync(place))

export const startChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: FLAGS })
