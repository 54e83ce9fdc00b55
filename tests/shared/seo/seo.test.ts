import { expect, test } from 'vitest'
import { headTags, type PageSeo } from '#shared/seo/head-tags.ts'
import { jsonLd } from '#shared/seo/json-ld.ts'
import * as seo from '#shared/seo/seo.ts'

const publisher: seo.Publisher = {
  origin: 'https://www.example.com',
  identity: {
    brand: 'Apex',
    email: 'hello@apex.example',
    phone: '+358 1',
    social: { x: 'https://x.com/apex' },
  },
}

test('structured data cannot end its script', () => {
  const text = jsonLd({ '@type': 'Thing', name: '</script><script>alert(1)</script><!--' })
  expect(text).not.toContain('<')
  expect(JSON.parse(text)).toMatchObject({
    '@context': 'https://schema.org',
    name: '</script><script>alert(1)</script><!--',
  })
})

test('the organization names its contacts and the contact page', () => {
  expect(seo.organization(publisher)).toMatchObject({
    '@type': 'Organization',
    name: 'Apex',
    sameAs: ['https://x.com/apex'],
    contactPoint: {
      url: 'https://www.example.com/contact',
      email: 'hello@apex.example',
      telephone: '+358 1',
    },
  })
})

test.each([
  ['nothing', {}, { name: 'Motorsport event with Apex', '@type': 'Event' }],
  ['a name', { name: 'Rally' }, { name: 'Rally', eventStatus: expect.any(String) }],
  ['a type', { '@type': 'SportsEvent' }, { '@type': 'SportsEvent' }],
  ['an undefined field', { name: undefined }, { name: 'Motorsport event with Apex' }],
  [
    'a place',
    { location: { '@type': 'Place', name: 'X' } },
    { location: { '@type': 'Place', name: 'X' } },
  ],
  ['a field beyond the defaults', { startDate: '2027-01-01' }, { startDate: '2027-01-01' }],
])('an event with %s stands over the defaults', (_, given, expected) => {
  expect(seo.event(given, publisher)).toMatchObject(expected)
})

test('an event field of null is left out, and an object replaces the default whole', () => {
  const event = seo.event({ image: null, organizer: { name: 'Club' } }, publisher)
  expect(event).not.toHaveProperty('image')
  expect(event.organizer).toEqual({ name: 'Club' })
})

test('an article has absolute addresses and falls back to the agency as its author', () => {
  const given = {
    slug: 'a',
    title: 'A',
    publishedAt: '2026-01-01T00:00:00.000Z',
    image: '/assets/x',
  }
  expect(seo.newsArticle(given, publisher)).toMatchObject({
    image: ['https://www.example.com/assets/x'],
    author: { '@type': 'Organization', name: 'Apex' },
    dateModified: '2026-01-01T00:00:00.000Z',
    mainEntityOfPage: 'https://www.example.com/news/a',
  })
})

test('breadcrumbs begin at home and count from one', () => {
  const { itemListElement } = seo.breadcrumbs([{ name: 'News', path: '/news' }], publisher)
  expect(itemListElement).toMatchObject([
    { position: 1, name: 'Home', item: 'https://www.example.com/' },
    { position: 2, name: 'News', item: 'https://www.example.com/news' },
  ])
})

const record = (more: Partial<PageSeo> = {}): PageSeo => ({
  exact: true,
  title: 'Record',
  description: 'Record says.',
  keywords: 'record',
  ogTitle: null,
  ogDescription: null,
  image: null,
  ...more,
})
const where = (pathname: string, search = '') => ({
  origin: 'https://www.example.com',
  pathname,
  search,
  brand: 'Apex',
})

test.each([
  ['the record of the page itself', { title: 'Own' }, record(), '', 'Record'],
  [
    'the page, under a record from above',
    { title: 'Own' },
    record({ exact: false }),
    '',
    'Own | Apex',
  ],
  ['a record from above, where the page is silent', {}, record({ exact: false }), '', 'Record'],
  ['the page, with the name only once', { title: 'Own by Apex' }, null, '', 'Own by Apex'],
  ['the default', {}, null, '', 'Premium Motorsport Media Services | Apex'],
  ['the record with the page number', { title: 'Own' }, record(), '?page=3', 'Record, page 3'],
  ['the page, while its list is filtered', { title: 'Own' }, record(), '?category=a', 'Own | Apex'],
])('the title is that of %s', (_, own, seoRecord, search, title) => {
  expect(headTags(own, seoRecord, where('/news', search)).title).toBe(title)
})

test('a record from above gives keywords and a picture only where the page has none', () => {
  const above = record({ exact: false, image: { url: '/assets/above', alt: 'Above' } })
  expect(
    headTags({ title: 'Own', description: 'Own says.' }, above, where('/news/a')),
  ).toMatchObject({
    description: 'Own says.',
    keywords: 'record',
    image: { url: 'https://www.example.com/assets/above' },
  })
  const own = { image: { url: '/assets/own', alt: 'Own' } }
  expect(headTags(own, above, where('/news/a')).image.url).toMatch(/own$/)
})

test('the answers of questions lead to our own origin, wherever they are read', () => {
  const answer =
    '<p><a href="/booking">Book</a> <a href="//x.example/">x</a> <img src="/assets/a"></p>'
  expect(seo.faqPage([{ question: 'How?', answer }], publisher)).toMatchObject({
    mainEntity: [
      {
        acceptedAnswer: {
          text: '<p><a href="https://www.example.com/booking">Book</a> <a href="//x.example/">x</a> <img src="https://www.example.com/assets/a"></p>',
        },
      },
    ],
  })
})

test('the canonical address drops everything but the page number', () => {
  const canonical = (path: string, search: string) =>
    headTags({}, null, where(path, search)).canonical
  expect(canonical('/news', '?utm_source=x&page=2&fbclid=1')).toBe(
    'https://www.example.com/news?page=2',
  )
  expect(canonical('/news', '?page=1')).toBe('https://www.example.com/news')
  expect(canonical('/portfolio', '?discipline=rally&page=2')).toBe(
    'https://www.example.com/portfolio',
  )
  expect(canonical('/news/', '')).toBe('https://www.example.com/news')
})

test('a page is hidden where it says so, and as a preview', () => {
  expect(headTags({}, null, where('/shop')).hidden).toBe(false)
  expect(headTags({ hidden: true }, null, where('/shop')).hidden).toBe(true)
  expect(headTags({}, null, where('/news/a', '?preview=x')).hidden).toBe(true)
})
