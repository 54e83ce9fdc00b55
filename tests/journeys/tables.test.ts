import type { Page } from 'playwright/test'
import { expect, test, violations } from './site.ts'

/** Cells of which something lies outside the window or the frame of their table. */
const cutCells = (page: Page) =>
  page.locator('main table').evaluateAll((tables) =>
    tables.flatMap((table) => {
      const frame = table.parentElement!.getBoundingClientRect()
      const right = Math.min(frame.right, innerWidth) + 0.5
      return [...table.querySelectorAll('tbody th, tbody td')].flatMap((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return range.getBoundingClientRect().right > right ? [cell.textContent] : []
      })
    }),
  )

const pages = [
  '/services/photography',
  '/services/website-design',
  '/news/brief-a-photographer-in-one-page',
  '/privacy-policy',
  '/cookie-policy',
]

for (const width of [320, 390, 700, 1440]) {
  test(`every cell of every table can be read whole at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    for (const path of pages) {
      await page.goto(path)
      await expect(page.locator('main table').first()).toBeVisible()
      expect(await cutCells(page), path).toEqual([])
    }
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('each cell says what column it is of, and a table is still a table', async ({ page }) => {
    await page.goto('/services/photography')
    const table = page.getByRole('table').first()
    await expect(table.getByRole('columnheader')).toHaveText([
      'Package',
      'Crew',
      'During the event',
      'Full set',
    ])
    const row = table.getByRole('row').nth(2)
    const cell = row.getByRole('cell', { name: /^40 edited photos/ })
    await expect(cell).toBeVisible()
    expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).toContain(
      'During the event',
    )
    expect(await violations(page)).toEqual([])
    // The browser itself still takes it for a table, without roles, which are an error inside of one.
    await expect(page.locator('table[role], table [role]')).toHaveCount(0)
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const roles = new Set(nodes.map(({ role }) => String(role?.value)))
    expect(['table', 'row', 'columnheader', 'cell'].filter((role) => !roles.has(role))).toEqual([])
  })
})

test('no word is broken where a column could be wider', async ({ page }) => {
  await page.goto('/services/media-outsourcing')
  const name = page.getByRole('cell', { name: 'Championship' })
  const lines = await name.evaluate((cell) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getClientRects().length
  })
  expect(lines).toBe(1)
})

test('on a wide screen a table stands in columns', async ({ page }) => {
  await page.goto('/privacy-policy')
  const boxes = await page
    .getByRole('row')
    .nth(1)
    .locator('th, td')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))
  expect(boxes).toHaveLength(4)
  expect(new Set(boxes).size).toBe(1)
})

test.describe('with a table whose cells span columns', () => {
  const row =
    '<tr><td>Leg 1</td><td>Friday, from the harbour</td><td>Saturday, in the woods</td></tr>'
  const content = {
    'news.json': [
      {
        id: 1,
        slug: 'plan',
        title: 'The plan',
        published_at: '2026-01-02T08:00:00Z',
        content: `<table><thead><tr><th>Leg</th><th colspan="2">When</th></tr></thead><tbody>${row}</tbody></table>`,
      },
    ],
  }
  test.use({ contentFiles: content, viewport: { width: 390, height: 844 } })

  test('it scrolls, by keyboard too', async ({ page }) => {
    await page.goto('/news/plan')
    const frame = page.getByRole('group', { name: 'Table' })
    await frame.focus()
    await expect(frame).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => frame.evaluate((one) => one.scrollLeft)).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
  })
})
