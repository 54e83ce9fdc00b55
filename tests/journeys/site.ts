import { join } from 'node:path'
import axe, { type RunOnly } from 'axe-core'
import { expect, test as base, type Locator, type Page } from 'playwright/test'
import { dist } from '#server/dist.ts'
import { builtRenderer, developmentRenderer } from '#server/renderer.ts'
import { registered } from '#shared/consent/storage-registry.ts'
import { contentFiles } from '../support/content-files.ts'
import { eventually } from '../support/eventually.ts'
import { startSite, type Site } from '../support/site.ts'

export { expect }

const root = join(import.meta.dirname, '../..')

type Fixtures = {
  /** Environment of the site, on top of an empty one. */
  env: Record<string, string>
  /** Content files in place of the sample's, by path; each site has its own. */
  contentFiles: Record<string, unknown> | null
  /** Whether Vite serves the sources, as in development, and not the build. */
  development: boolean
  /** The real site, with state of its own. */
  site: Site
  /** Whether the visitor has decided about cookies before; until then a card covers a corner. */
  decided: boolean
  /** What the console may complain of; anything else fails the test. */
  complaints: { expect(pattern: RegExp): void }
  /** Whatever a journey leaves in the browser has to be in the registry of the cookie policy. */
  listed: void
}

/** A journey through the real site in a real browser. */
export const test = base.extend<Fixtures>({
  env: [{}, { option: true }],
  contentFiles: [null, { option: true }],
  development: [false, { option: true }],
  site: async ({ env, contentFiles: written, development }, use) => {
    const renderer = development ? await developmentRenderer(root) : await builtRenderer(dist)
    using files = written && contentFiles(written)
    await using site = await startSite({
      env: { ...env, ...(files && { CONTENT_DIR: files.dir }) },
      renderer,
      pictures: process.env.PITLANE_PICTURES,
    })
    // Visitors right after a start may come before the content is read: their pages do without it.
    // Without Playwright's `expect`, which prepares a report with coloured code for each failure.
    const whole = async () => {
      const control = (await site.get('/')).headers['cache-control']
      // Whole ones are `no-cache`, or `public` once they're kept.
      if (control?.includes('no-store')) throw new Error(`The home page lacks content: ${control}.`)
    }
    await (env.CONTENT_URL ? site.get('/') : eventually(whole))
    await use(site)
  },
  decided: [true, { option: true }],
  context: async ({ context, decided }, use) => {
    if (decided) await context.addInitScript(() => localStorage.setItem('consentGiven', 'true'))
    await use(context)
  },
  baseURL: async ({ site }, use) => use(site.url),
  page: async ({ page, javaScriptEnabled }, use) => {
    const goto = page.goto.bind(page)
    // A form that is sent before the code of its page is there is sent as without scripts, which is
    // the subject of journeys of its own; these open their page with `waitUntil: 'commit'`.
    page.goto = async (url, options) => {
      const response = await goto(url, options)
      if (javaScriptEnabled && options?.waitUntil !== 'commit') await alive(page)
      return response
    }
    await use(page)
  },
  complaints: [
    async ({ page }, use) => {
      const expected: RegExp[] = []
      const heard: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) heard.push(message.text())
      })
      page.on('pageerror', (error) => heard.push(String(error)))
      await use({ expect: (pattern) => void expected.push(pattern) })
      expect(heard.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
    },
    { auto: true },
  ],
  listed: [
    async ({ page, site }, use) => {
      await use()
      if (!page.url().startsWith(site.url)) return
      // Some journeys close the storage.
      const items = await storedItems(page).catch(() => [])
      expect(items.filter(([store, name]) => !registered(store, name))).toEqual([])
    },
    { auto: true },
  ],
})

/** What the browser keeps for the page's origin: each thing's kind and name. */
export async function storedItems(page: Page) {
  const { local, session } = await page.evaluate(() => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
  }))
  const cookies = (await page.context().cookies()).map(({ name }) => name)
  return [
    ...local.map((name) => ['local', name] as const),
    ...session.map((name) => ['session', name] as const),
    ...cookies.map((name) => ['cookie', name] as const),
  ]
}

/** Opens a page whose code does not come before it is released. @returns what releases it */
export async function openWithoutCode(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/entry-client-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return release
}

/**
 * Waits until a page hears what happens elsewhere: its code runs, and keeps no press for later. All of it
 * is laid out then.
 */
export async function alive(page: Page) {
  await page.waitForFunction(() => {
    const html: HTMLElement & { early?: HTMLElement | null } = document.documentElement
    const isHeard = !document.querySelector('[data-entry]') || html.early === null
    return isHeard && !html.hasAttribute('data-layout-waits')
  })
}

/** A message as a visitor writes it. */
export const enquiry = {
  name: 'Aino Virtanen',
  email: 'aino@example.com',
  subject: 'GT4 season 2027',
  message: 'We race eight weekends and need a crew.\nWhat would it cost?',
}

/** Fills in a contact form. @param answer replaces the right one */
export async function fill(
  form: Locator,
  { answer, ...fields }: Partial<typeof enquiry> & { answer?: string } = {},
) {
  const { name, email, subject, message } = { ...enquiry, ...fields }
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Subject').fill(subject)
  await form.getByLabel('Message').fill(message)
  await form.getByLabel(/^Verification: What is/).fill(answer ?? String(await sum(form)))
}

/** The right answer to the question that a form shows. */
export async function sum(form: Locator): Promise<number> {
  const text = await form.getByText(/^Verification: What is \d+ \+ \d+\?$/).textContent()
  const [x = 0, y = 0] = (text ?? '').match(/\d+/g)!.map(Number)
  return x + y
}

/** Opens the home page at its contact section. */
export async function openContactSection(page: Page): Promise<Locator> {
  await page.goto('/#contact')
  const section = page.getByRole('region', { name: "Let's Create Something Exceptional" })
  await expect(section.getByText(/^Verification: What is/)).toBeVisible()
  return section
}

/** Opens the contact modal from the navigation. */
export async function openContactModal(page: Page): Promise<Locator> {
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Contact' })
    .click()
  const modal = page.getByRole('dialog', { name: 'Contact us' })
  await expect(modal.getByText(/^Verification: What is/)).toBeVisible()
  return modal
}

/** Stops the page's clock, after `page.clock.install()`; from then on only `runFor` moves it. */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
}

/** Waits until colours and positions have stopped changing; what goes on for ever is not waited for. */
export const transitionsOver = (page: Page) =>
  page.evaluate(async () => {
    const running = document.getAnimations().filter((each) => each instanceof CSSTransition)
    await Promise.allSettled(running.map(({ finished }) => finished))
  })

/** What axe looks for in each theme: the dark one is the same page in other colours. */
const rules = {
  light: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} satisfies Record<string, RunOnly>

/**
 * What axe has to say of a page by WCAG 2.2 AA, in the light theme and in the dark one. It is read into
 * the page once, which takes as long as all that it looks at.
 */
export async function violations(page: Page) {
  const found: { theme: string; id: string; nodes: string[] }[] = []
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    // Pages of the app say so by a class; others follow the system by their style sheet.
    const other = theme === 'dark' ? 'html:not(.dark)' : 'html.dark'
    await expect(page.locator(`${other}:has([data-entry])`)).toHaveCount(0)
    await transitionsOver(page)
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
    const results = await page.evaluate(async (runOnly) => {
      const { axe: looking } = globalThis as unknown as { axe: typeof axe }
      const { violations: all } = await looking.run({ runOnly, resultTypes: ['violations'] })
      return all.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
      }))
    }, rules[theme])
    for (const result of results) found.push({ theme, ...result })
  }
  return found
}
