import type { Page } from 'playwright/test'
import { alive, expect, test, transitionsOver } from './site.ts'

test.use({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })

/** What rules of different files could quarrel about; sizes that follow from the text are left out. */
const properties = [
  'display',
  'position',
  'color',
  'background-color',
  'font-size',
  'font-weight',
  'line-height',
  'letter-spacing',
  'padding',
  'margin-top',
  'margin-bottom',
  'gap',
  'min-height',
  'border-top-width',
  'border-left-width',
  'text-decoration-line',
  'text-transform',
  'align-items',
]

/** How every element of the page looks, by its place in the document. */
const looks = (page: Page) =>
  page.evaluate((names) => {
    const place = (element: Element): string => {
      const parent = element.parentElement
      if (!parent) return element.localName
      const index = Array.from(parent.children)
        .filter(({ localName }) => localName === element.localName)
        .indexOf(element)
      return `${place(parent)}>${element.localName}${index}`
    }
    // Data blocks are not to be seen, and only the server writes them.
    const shown = document.querySelectorAll(
      ':is(header, header *, main, main *, footer, footer *):not(script)',
    )
    return Object.fromEntries(
      Array.from(shown, (element) => {
        const style = getComputedStyle(element)
        const values = names.map((name) => `${name}: ${style.getPropertyValue(name)}`).join('; ')
        return [place(element), `${element.className} { ${values} }`]
      }),
    )
  }, properties)

/** Opens every dialog of the shell, which brings styles of its own. */
async function openDialogs(page: Page) {
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByRole('dialog', { name: /search/i })).toBeVisible()
  await page.keyboard.press('Escape')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Contact' })
    .click()
  await expect(page.getByRole('dialog', { name: 'Contact us' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Cookie preferences' }).click()
  await expect(page.getByRole('dialog', { name: 'Cookie preferences' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => scrollTo(0, 0))
}

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 })

/** Goes to a page within the site. @param heading of that page: its address changes before it is shown */
async function follow(page: Page, path: string, heading: string) {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('a'), { href })
    document.body.append(link)
    link.click()
    link.remove()
  }, path)
  await expect(page).toHaveURL(path)
  await expect(headingOf(page)).toHaveText(heading)
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  await page.evaluate(() => scrollTo(0, 0))
  await transitionsOver(page)
}

const article = '/news/forty-eight-hours-at-kymiring'
const paths = [
  '/portfolio',
  article,
  '/about-us',
  '/services/photography',
  '/privacy-policy',
  '/news',
]

test('a page looks the same whichever pages and dialogs came before it', async ({ page }) => {
  test.setTimeout(300_000)
  const first: Record<string, Record<string, string>> = {}
  const headings: Record<string, string> = {}
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await page.mouse.move(0, 0)
    first[path] = await looks(page)
    headings[path] = await headingOf(page).innerText()
  }
  await page.goto('/', { waitUntil: 'networkidle' })
  await openDialogs(page)
  const order = [...paths, ...paths.toReversed()]
  for (const path of order) {
    await follow(page, path, headings[path]!)
    const now = await looks(page)
    const different = Object.entries(first[path]!).filter(([place, look]) => now[place] !== look)
    expect(
      different.slice(0, 5).map(([place, look]) => ({ path, place, look, now: now[place] })),
    ).toEqual([])
  }
})

test('a first load brings one style sheet, and no more once its code is there', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404/)
  let sheets: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') sheets.push(new URL(request.url()).pathname)
  })
  for (const path of ['/', '/portfolio', '/contactwindow', '/no-such-page']) {
    sheets = []
    await page.goto(path, { waitUntil: 'networkidle' })
    await alive(page)
    expect([path, sheets]).toEqual([path, [expect.stringMatching(/^\/assets\/page-/)]])
  }
})
