import { book } from '../support/bookings.ts'
import { expect, test } from './site.ts'

test.use({ development: true })
// Each file is compiled when it is asked for, in addition to what other journeys do on the same two cores.
test.describe.configure({ timeout: 180_000 })

test('in development pages come alive without a complaint, and lead to each other', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('banner').getByRole('link', { name: 'Book Now' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Book your dates', {
    timeout: 60_000,
  })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'News' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News from the paddock')
  await navigation.getByRole('link', { name: 'Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Season calendar')
  await navigation.getByRole('link', { name: 'Shop' }).click()
  await expect(page).toHaveURL('/shop')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('in development the page of a booking shows its month', async ({ page, site }) => {
  const { json } = await book(site)
  await page.goto(new URL(String(json?.url)).pathname)
  await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Photography, January 2027')
  await page.getByRole('link', { name: 'Later month, February 2027' }).click()
  await expect(page.getByRole('grid')).toHaveAccessibleName('Days for Photography, February 2027')
})

test('in development the sources of the browser are served, and nothing else of the project', async ({
  site,
}) => {
  for (const path of ['/client/entry-client.tsx', '/shared/paths.ts']) {
    expect([path, (await site.get(path)).status]).toEqual([path, 200])
  }
  const inside = ['/data/content/news.json', '/package.json', '/server/config.ts', '/README.md']
  for (const path of inside.flatMap((each) => [each, `${each}?raw`, `/client/..${each}`])) {
    expect([path, (await site.get(path)).status]).toEqual([path, 403])
  }
})
