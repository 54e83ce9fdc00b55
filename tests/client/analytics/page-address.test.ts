import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { pageAddress, pageTitle, type VisitedPage } from '#client/analytics/page-address.ts'
import { pages } from '#client/pages.ts'
import { createRoutes } from '#client/routes.tsx'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import { startSite } from '../../support/site.ts'

/** What the router says of an address. */
function visited(address: string): VisitedPage {
  const { pathname: path, search } = new URL(address, 'http://localhost')
  const { route, params } = matchRoutes(
    createRoutes(async () => ({ pages })),
    path,
  )!.at(-1)!
  return { id: route.id!, path, search, parameters: Object.keys(params).join(' ') }
}

const told = (address: string) => pageAddress(visited(address))

const token = 'Wq3vT8-s3cret_0pens'

test('measuring services never get an address with a secret in it', async () => {
  await using site = await startSite()
  const { privatePaths } = site.context.contributions()
  expect(privatePaths).toContain(paths.bookingStaff(''))
  const signed = [
    ...privatePaths.flatMap((beginning) => [beginning + token, `${beginning}${token}/further`]),
    paths.bookingCancel(token),
    paths.bookingMove(token),
    paths.checkoutSuccess(token),
    linkedPaths.invoicePdf(token),
    paths.shortLink(token),
  ]
  expect(signed.filter((address) => told(address).includes(token))).toEqual([])
})

test.each([
  ['/', '/'],
  ['/?utm_source=paddock&email=a@b.fi', '/?utm_source=paddock'],
  ['/services/photography', '/services/photography'],
  ['/news/a-story', '/news/a-story'],
  ['/shop/checkout/success?order=abc&utm_medium=mail', '/shop/checkout/success?utm_medium=mail'],
  ['/panel', '/panel'],
  ['/panel/nordic-rally-team', '/panel/private'],
  ['/s/secret-folder/view/1', '/s/private'],
  ['/booking', '/booking'],
  ['/booking/staff/abc', '/booking/private'],
  ['/no/such/page', '/not-found'],
])('%s is told as %s', (address, expected) => {
  expect(told(address)).toBe(expected)
})

test('nor the title of a personal page, which names people', () => {
  const title = 'Nordic Rally Team'
  expect(pageTitle(visited('/panel/nordic-rally-team'), title)).toBe('A private page')
  expect(pageTitle(visited('/news/a-story'), title)).toBe(title)
})
