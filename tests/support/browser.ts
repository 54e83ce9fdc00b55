import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium as playwrightChromium, type LaunchOptions } from 'playwright'

/** Chromium without a window, which does a page in two thirds of the work. */
const shell = '/usr/bin/chromium-headless-shell'

const whole = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The flags keep a test browser from talking to anything but the site. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Launch options for the browser of this machine: `CHROMIUM_PATH`, else one that is installed, else
 * Playwright's own.
 */
export function chromium(): LaunchOptions {
  const candidates = [process.env.CHROMIUM_PATH, shell, ...whole]
  const installed = candidates.find((path) => path && existsSync(path))
  return { args, ...(installed && { executablePath: installed }) }
}

/**
 * Gets a browser where there is none: Playwright's own, or the distribution's when that cannot be
 * downloaded.
 * @throws with what to do when neither works
 */
export function ensureBrowser(): void {
  if (chromium().executablePath || existsSync(playwrightChromium.executablePath())) return
  const run = (command: string, ...rest: string[]) =>
    execFileSync(command, rest, { stdio: 'inherit' })
  const attempts = [
    () => run('npx', 'playwright', 'install', 'chromium'),
    () => {
      run('apt-get', 'update', '-qq')
      run('apt-get', 'install', '-y', '-qq', 'chromium-headless-shell')
    },
    () => run('apt-get', 'install', '-y', '-qq', 'chromium'),
  ]
  for (const attempt of attempts) {
    try {
      attempt()
      return
    } catch {
      // The next way, or the message below.
    }
  }
  throw new Error(
    'No browser was found and none could be installed. Install Chromium, or set CHROMIUM_PATH.',
  )
}
