import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bookings, filledIn, open } from '../../support/booking-form.ts'
import { book } from '../../support/bookings.ts'
import { contentSite } from '../../support/content-site.ts'
import { inputsOf, postForm } from '../../support/page-form.ts'

test('the form is a form without scripts: fields by their names, months and days as links', async () => {
  await using site = await open()
  const { text } = await filledIn(site, '/booking?service=photography&month=2027-01')
  for (const name of ['service', 'from', 'to', 'start', 'end', 'place', 'name', 'email', 'phone'])
    expect(text).toContain(`name="${name}"`)
  expect(inputsOf(text).key).toMatch(/^[\w-]{16,64}$/)
  expect(inputsOf(text).terms).toBeUndefined()
  expect(text).toContain('aria-label="Wednesday 20 January 2027, free"')
  expect(text).toContain('href="/booking?month=2027-02&amp;service=photography"')
  expect(text).toContain(
    'href="/booking?from=2027-01-20&amp;month=2027-01&amp;service=photography&amp;to=2027-01-20"',
  )
  expect(text.replaceAll('<!-- -->', '')).toContain('VAT is 25.5\u00a0% in Finland')
})

test('a service without a price isn’t said to be confirmed at this price', async () => {
  const services = JSON.parse(readFileSync('data/content/services.json', 'utf8')) as {
    url: string
  }[]
  const unpriced = services.map((row) =>
    row.url === 'photography' ? { ...row, price_from: null } : row,
  )
  await using site = await contentSite({ 'services.json': unpriced })
  const { text } = await site.get('/booking?service=photography')
  expect(text).toContain('We check crew and travel, then make you an offer or tell you why not.')
  expect(text).not.toMatch(/<li>[^<]*confirm at this price/)
  const { text: priced } = await site.get('/booking?service=videography')
  expect(priced).toMatch(/<li>[^<]*confirm at this price/)
})

test('the form says of work by project what its agreement will say: until its start, without an organiser', async () => {
  await using site = await open()
  const { text } = await site.get('/booking?service=website-design')
  const [steps = ''] = /What happens next[\s\S]*?<\/ul>/.exec(text) ?? []
  expect(steps).toContain('free of charge until 14 days before the start.')
  expect(steps).not.toMatch(/first day|organiser/)
})

test('what is wrong is listed in the order of the form', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const wrong = { place: '', name: '', email: '', captcha: '', terms: '' }
  const { status, text } = await postForm(site, '/booking', { ...fields, ...wrong })
  const listed = Array.from(text.matchAll(/<a href="#booking-(\w+)">/g), ([, field]) => field)
  expect([status, listed]).toEqual([400, Object.keys(wrong)])
})

test('a form that is sent leads to the page of its booking', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const reply = await postForm(site, '/booking?service=photography', fields)
  expect(reply.status).toBe(303)
  const page = await site.get(String(reply.headers.location))
  expect(page.status).toBe(200)
  const [booking, ...more] = bookings(site)
  expect(more).toEqual([])
  expect(booking).toMatchObject({
    state: 'requested',
    from: '2027-01-20',
    to: '2027-01-21',
    proven: true,
    start: null,
  })
  expect(page.text).toContain(booking!.reference)
  expect(page.headers['cache-control']).toContain('no-store')
  expect(page.headers['x-robots-tag']).toContain('noindex')
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  // Sent again, as by a reload: it is the same request.
  const again = await postForm(site, '/booking', fields)
  expect([again.status, again.headers.location]).toEqual([303, reply.headers.location])
  expect(bookings(site)).toHaveLength(1)
})

test('errors are shown beside their fields, and every entry comes back', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const reply = await postForm(site, '/booking', {
    ...fields,
    email: 'aino',
    name: '',
    message: '"><script>alert(1)</script>',
    captcha: '99',
  })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('id="booking-email-error"')
  expect(reply.text).toContain('Name is required')
  expect(reply.text).toContain('Please check your answer to the verification question')
  expect(reply.text).toContain('href="#booking-email"')
  expect(inputsOf(reply.text)).toMatchObject({
    place: 'Ice track of Rovaniemi',
    from: '2027-01-20',
    to: '2027-01-21',
    email: 'aino',
    key: fields.key,
    service: 'photography',
    terms: 'true',
  })
  expect(reply.text).not.toContain('<script>alert(1)')
  expect(bookings(site)).toEqual([])
  const mended = await postForm(site, '/booking', { ...inputsOf(reply.text), ...fields })
  expect(mended.status).toBe(303)
})

test('an address with an event or a service that cannot be booked says so, and is a form all the same', async () => {
  await using site = await open()
  for (const [query, words] of [
    ['event=no-such-event', 'That event can’t be booked any more, or isn’t in our calendar'],
    ['service=catering', 'That service can’t be booked online'],
  ] as const) {
    const { status, text } = await site.get(`/booking?${query}`)
    expect([status, text.includes(words), 'place' in inputsOf(text)]).toEqual([200, true, true])
  }
  const { text } = await site.get('/booking?service=photography')
  expect(text).not.toContain('Choose one below')
})

test('a form without days says so once', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const reply = await postForm(site, '/booking', { ...fields, from: '', to: '' })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('href="#booking-from">Please choose a start date</a>')
  expect(reply.text).not.toContain('href="#booking-to"')
  expect(bookings(site)).toEqual([])
})

test('dates that went meanwhile bring the nearest free ones, which fill the form without sending it', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  await book(site)
  await book(site)
  const reply = await postForm(site, '/booking', fields)
  expect(reply.status).toBe(409)
  expect(reply.text).toContain('These dates were just taken')
  expect(reply.text).toContain('value="2027-01-18/2027-01-19"')
  expect(reply.text).toContain('aria-label="Wednesday 20 January 2027, on hold for another client"')
  const filled = await postForm(site, '/booking', { ...fields, fill: '2027-01-18/2027-01-19' })
  expect(filled.status).toBe(200)
  expect(inputsOf(filled.text)).toMatchObject({
    from: '2027-01-18',
    to: '2027-01-19',
    name: 'Aino Virtanen',
  })
  expect(bookings(site)).toHaveLength(2)
})

test.each([
  ['the past', { from: '2026-01-05', to: '2026-01-05' }, 'from', 'This day has passed'],
  ['beyond the horizon', { from: '2029-01-05', to: '2029-01-05' }, 'to', 'Bookings are open until'],
  ['turned round', { from: '2027-01-21', to: '2027-01-20' }, 'to', 'The last day is before'],
  ['of years', { to: '2029-12-31' }, 'to', '31 days at most'],
  ['that are none', { from: '2027-02-30', to: '2027-02-30' }, 'from', 'That date doesn’t exist'],
  [
    'at a time that the clocks skip',
    { from: '2027-03-28', to: '2027-03-28', start: '03:30' },
    'start',
    'The clocks go forward',
  ],
  ['of no service', { service: 'towing' }, 'service', 'Unknown service'],
  ['of no event', { event: 'nowhere' }, 'event', 'This event can’t be booked any more'],
] as [string, Record<string, string>, string, string][])(
  'dates %s are refused in words at their field',
  async (_, changes, field, message) => {
    await using site = await open()
    const { fields } = await filledIn(site)
    const reply = await postForm(site, '/booking', { ...fields, ...changes })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(message)
    expect(reply.text).toContain(`href="#booking-${field}"`)
    expect(bookings(site)).toEqual([])
  },
)

test('a form of another origin, type or too large is refused; other pages take no form', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const foreign = await postForm(site, '/booking', fields, { 'Sec-Fetch-Site': 'cross-site' })
  expect(foreign.status).toBe(403)
  const json = await site.post('/booking', fields)
  expect(json.status).toBe(415)
  const large = await postForm(site, '/booking', { ...fields, message: 'a'.repeat(70_000) })
  expect(large.status).toBe(413)
  expect((await postForm(site, '/about-us', fields)).status).toBe(405)
  expect(bookings(site)).toEqual([])
})

test('a filled honeypot is thanked and stores nothing', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const reply = await postForm(site, '/booking', { ...fields, website: 'https://spam.example' })
  expect(reply.status).toBe(303)
  expect(bookings(site)).toMatchObject([{ state: 'quarantined' }])
})

test('the page of a request that may be a robot’s says neither that it can be changed nor that an email has its link', async () => {
  await using site = await open()
  const pageOf = async (changes: Record<string, unknown>) => {
    const { json } = await book(site, changes)
    const token = String(json?.url).split('/').at(-1)
    return { token, text: (await site.get(`/booking/${token}`)).text }
  }
  const { token, text } = await pageOf({ website: 'https://example.com' })
  expect(text).toContain('Anyone with this link can see your booking. Keep it private.')
  expect(text).not.toContain('also in your email')
  const move = { from: '2027-02-11', to: '2027-02-11' }
  const refused = await site.post(`/api/bookings/by-link/${token}/move`, move)
  expect([refused.status, refused.json?.message]).toEqual([
    409,
    'This request holds no dates yet, so they can’t be changed.',
  ])
  const held = await pageOf({ from: '2027-02-18', to: '2027-02-18' })
  expect(held.text).toContain('Anyone with this link can see and change your booking.')
  expect(held.text).toContain('It’s also in your email.')
})
