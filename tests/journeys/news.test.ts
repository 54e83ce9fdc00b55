import { expect, test } from './site.ts'

test('from the list through pages to an article and on to the next', async ({ page }) => {
  await page.goto('/news')
  await expect(page.getByRole('article')).toHaveCount(12)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL('/news?page=2')
  await page.getByRole('link', { name: /^What 212 event days/ }).click()
  await expect(page).toHaveURL('/news/what-212-event-days-taught-us')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('link', { name: /^Newer/ }).click()
  await expect(page).toHaveURL('/news/new-desks-in-silverstone-and-indianapolis')
})

test('a category stands in the address', async ({ page }) => {
  await page.goto('/news')
  await page
    .getByRole('navigation', { name: 'Category' })
    .getByRole('link', { name: /^Guide/ })
    .click()
  await expect(page).toHaveURL('/news?category=guide')
  await expect(page.getByRole('article')).toHaveCount(3)
})

test('sharing is plain links, and the address can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/news/booking-opens-for-2027')
  const share = page.getByRole('complementary', { name: 'Share' })
  await expect(share.getByRole('link', { name: 'LinkedIn' })).toHaveAttribute(
    'href',
    /^https:\/\/www\.linkedin\.com\/sharing\/share-offsite\/\?url=http.*booking-opens-for-2027$/,
  )
  await share.getByRole('button', { name: 'Copy link' }).click()
  await expect(share.getByText('Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
})

test('an article on paper is the article alone', async ({ page }) => {
  await page.goto('/news/booking-opens-for-2027')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('banner').first()).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(page.getByText('Related stories')).toBeHidden()
})

test('an unknown article inside the site shows the error page with its ways out', async ({
  page,
  complaints,
}) => {
  complaints.expect(/404/)
  await page.goto('/news/no-such-article')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/404\s+Not Found/)
  await expect(page.getByText("We couldn't find the page you're looking for.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible()
})

test.describe('with lists that go on where another ended', () => {
  const content = {
    'news.json': [
      {
        id: 1,
        slug: 'lists',
        title: 'Lists',
        published_at: '2026-01-02T08:00:00Z',
        content:
          '<ol><li>a</li><li>b</li></ol><p>A photo.</p><ol start="3"><li>c</li><li>d</li></ol>',
      },
    ],
  }
  test.use({ contentFiles: content })

  test('each item has the number that its editor gave it', async ({ page }) => {
    await page.goto('/news/lists')
    await expect(page.getByText('A photo.')).toBeVisible()
    const session = await page.context().newCDPSession(page)
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    const numbers = nodes.flatMap(({ role, name }) =>
      role?.value === 'StaticText' && /^0\d/.test(String(name?.value)) ? [name?.value] : [],
    )
    expect(numbers).toEqual(['01', '02', '03', '04'])
  })
})
