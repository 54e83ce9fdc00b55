import { afterAll, beforeAll, expect, test } from 'vitest'
import { collections, hasLongText } from '#server/collections.ts'
import { startSite, type Site } from '../../support/site.ts'

let site: Site

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())

test('the sample content has no row that breaks its schema, and enough of everything', async () => {
  const counts: Record<string, number> = {}
  for (const name of collections) counts[name] = (await site.context.content.rows(name)).length
  expect(site.logLines().filter((line) => /content (?:row|file)/.test(line))).toEqual([])
  expect(counts.services).toBeGreaterThanOrEqual(5)
  expect(counts.news).toBeGreaterThanOrEqual(12)
  expect(counts.portfolio).toBeGreaterThanOrEqual(12)
  expect(counts.section_hero).toBeGreaterThanOrEqual(1)
  expect(counts.settings).toBe(1)
  for (const name of collections) expect(counts[name], name).toBeGreaterThan(0)
})

test('the sample menu has the entries that the site promises', async () => {
  const titles = (await site.context.content.rows('menu_main')).map(({ title }) => title)
  expect(titles).toEqual(expect.arrayContaining(['Services', 'Portfolio', 'News', 'Contact']))
})

test('every sample hero leads to the services, as its button says', async () => {
  const heroes = await site.context.content.rows('section_hero')
  for (const { id, button_text, button_url } of heroes) {
    expect({ id, button_text, button_url }).toEqual({
      id,
      button_text: 'Explore Services',
      button_url: '#services',
    })
  }
})

test('every sample picture is there, with words and its true size', async () => {
  const { content } = site.context
  const ids = new Set<string>()
  for (const { image, gallery } of await content.rows('services')) {
    for (const id of [image, ...(gallery ?? [])]) if (id) ids.add(id)
  }
  for (const { image, images } of await content.rows('portfolio')) {
    for (const id of [image, ...(images ?? [])]) if (id) ids.add(id)
  }
  for (const { image } of await content.rows('news')) if (image) ids.add(image)
  for (const { image } of await content.rows('events')) if (image) ids.add(image)
  for (const { photo } of await content.rows('team')) if (photo) ids.add(photo)
  for (const { photo_url } of await content.rows('section_hero')) if (photo_url) ids.add(photo_url)
  for (const { og_image } of await content.rows('SEO')) if (og_image) ids.add(og_image)
  expect(ids.size).toBeGreaterThan(5)
  for (const id of ids) {
    const picture = await content.picture(id)
    expect(picture?.alt, id).toBeTruthy()
    expect(picture?.version, id).toBeTruthy()
    const file = await content.asset(id)
    const { default: sharp } = await import('sharp')
    const { width, height } = await sharp(await file!.path()).metadata()
    expect({ id, width: picture?.width, height: picture?.height }).toEqual({ id, width, height })
  }
})

test('every sample article and service has a text', async () => {
  const { content } = site.context
  for (const name of collections.filter(hasLongText)) {
    for (const { id } of await content.rows(name)) {
      expect((await content.text(name, id))?.length, `${name} ${id}`).toBeGreaterThan(200)
    }
  }
})

test('the sample season has every kind of event, on both sides of the days when clocks change', async () => {
  const events = await site.context.content.rows('events')
  const stored = (await site.get('/items/events?limit=-1')).json as { data: { id: string }[] }
  expect(stored.data.length).toBe(events.length)
  expect(events.length).toBeGreaterThanOrEqual(44)
  const has = (name: 'status' | 'coverage' | 'zone') => new Set(events.map((each) => each[name]))
  expect(has('status')).toEqual(new Set(['scheduled', 'tbc', 'postponed', 'cancelled']))
  // Most follow bookings and rules.
  expect(has('coverage')).toEqual(new Set(['none', 'free', 'covered', 'full', undefined]))
  expect(has('zone').size).toBeGreaterThanOrEqual(6)
  expect(new Set(events.map(({ series }) => series)).size).toBe(6)
  for (const day of ['2026-10-25', '2027-03-28', '2027-10-31']) {
    expect(
      events.some(({ start, end }) => start.slice(0, 10) <= day && (end ?? start) >= day),
      day,
    ).toBe(true)
  }
  for (const { id, description, venue, city, country } of events) {
    expect({ id, missing: [description, venue, city, country].filter((text) => !text) }).toEqual({
      id,
      missing: [],
    })
  }
})
