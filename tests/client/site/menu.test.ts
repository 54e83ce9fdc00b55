import { expect, test } from 'vitest'
import { navigation } from '../../../client/site/header/menu.ts'

test.each([
  ['/booking?service=photography', { href: '/booking?service=photography', contact: false }],
  ['https://book.example/', { href: 'https://book.example/', contact: false }],
  ['/contact', { href: '/#contact', contact: true }],
  ['', { href: '/booking', contact: false }],
  [null, { href: '/booking', contact: false }],
])('the button Book Now leads where its record says: %s', (url, booking) => {
  const { entries, ...rest } = navigation([
    { title: 'News', url: '/news' },
    { title: 'Book now', url },
  ])
  expect(rest.booking).toMatchObject(booking)
  expect(entries.map(({ title }) => title)).toEqual(['News'])
})

test('without such a record there is no button', () => {
  expect(navigation([{ title: 'News', url: '/news' }]).booking).toBeNull()
  expect(navigation(null).booking).toBeNull()
})

test('a menu without entries is no menu', () => {
  expect(navigation([])).toEqual(navigation(null))
})
