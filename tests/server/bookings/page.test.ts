import { expect, test } from 'vitest'
import { bookings, filledIn, open } from '../../support/booking-form.ts'
import { book, bookingOf } from '../../support/bookings.ts'
import { makeClient, signIn } from '../../support/clients.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { inputsOf, postForm } from '../../support/page-form.ts'
import { csrfHeaders } from '../../support/send.ts'

test('an offer that cannot be sent comes back with its rows, and each mistake at its field', async () => {
  await using site = await open()
  await book(site)
  const { actions } = site.context.features.bookings
  const staff = new URL(actions.staffUrl(bookings(site)[0]!)).pathname
  const { sequence } = inputsOf((await site.get(staff)).text)
  const refused = await postForm(site, staff, {
    act: 'offer',
    sequence: sequence!,
    'text-1': '',
    'text-2': 'Second photographer',
    'quantity-2': 'two',
    'price-2': 'a lot',
    travel: '12.345',
    note: 'As we said on the phone.',
  })
  expect(refused.status).toBe(400)
  for (const [field, message] of [
    ['quantity-2', 'Please enter a whole number'],
    ['price-2', 'Please enter an amount, such as 890 or 890.50'],
    ['travel', 'Please enter an amount, such as 890 or 890.50'],
  ]) {
    expect(refused.text).toContain(`<a href="#offer-${field}">${message}</a>`)
    expect(refused.text).toMatch(
      new RegExp(
        `<p id="offer-${field}-error"[^>]*>${message!.replaceAll('.', String.raw`\.`)}</p>`,
      ),
    )
  }
  expect(inputsOf(refused.text)).toMatchObject({
    'text-2': 'Second photographer',
    'price-2': 'a lot',
    travel: '12.345',
  })
  expect(refused.text).toContain('As we said on the phone.</textarea>')
  expect(bookings(site)[0]!.state).toBe('requested')
})

test('visitors cancel and move by their page, staff decide by theirs', async () => {
  await using site = await open()
  const { fields } = await filledIn(site)
  const result = String((await postForm(site, '/booking', fields)).headers.location)
  const page = result.replace('#result', '')
  const taken = await postForm(site, `${page}/move`, { from: '2026-01-01', to: '2026-01-01' })
  expect(taken.status).toBe(400)
  expect(taken.text).toContain('This day has passed')
  const moved = await postForm(site, `${page}/move`, { from: '2027-02-10', to: '2027-02-11' })
  expect([moved.status, moved.headers.location]).toEqual([303, result])
  expect(bookings(site)).toMatchObject([{ state: 'requested', from: '2027-02-10' }])
  const part = (name: string, value: string) =>
    `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const sendParts = (body: string) =>
    site.post(`${page}/move`, body, {
      headers: { 'Content-Type': 'multipart/form-data; boundary=cut', Cookie: '' },
    })
  const whole = `${part('from', '2027-02-12')}${part('to', '2027-02-13')}--cut--\r\n`
  expect((await sendParts(whole)).status).toBe(303)
  expect(bookings(site)).toMatchObject([{ state: 'requested', from: '2027-02-12' }])
  expect((await sendParts(whole.slice(0, 60))).status).toBe(400)
  expect((await sendParts(part('from', 'a'.repeat(40_000)))).status).toBe(413)

  const { actions } = site.context.features.bookings
  const staff = new URL(actions.staffUrl(bookings(site)[0]!)).pathname
  const shown = await site.get(staff)
  expect(shown.status).toBe(200)
  expect(shown.text).toMatch(/value="confirm"[^>]*>Confirm</)
  // What is agreed with it is beside the button.
  expect(shown.text).toContain('without any travel costs.')
  expect(shown.text).toMatch(/value="decline"[^>]*>Decline</)
  expect((await site.get(`${staff}x`)).status).toBe(404)
  const decided = await postForm(site, staff, { act: 'confirm', text: 'See you at the gate.' })
  expect([decided.status, decided.headers.location]).toEqual([303, `${staff}#result`])
  expect(bookings(site)).toMatchObject([{ state: 'confirmed', answer: 'See you at the gate.' }])
  expect((await postForm(site, staff, { act: 'decline' })).status).toBe(409)
  expect((await postForm(site, staff, { act: 'erase' })).status).toBe(400)

  // A button alone sends nothing at all; pressed twice it is the same.
  for (const type of ['', 'application/x-www-form-urlencoded']) {
    const cancelled = await postForm(site, `${page}/cancel`, {}, { 'Content-Type': type })
    expect([cancelled.status, cancelled.headers.location]).toEqual([303, result])
  }
  expect(bookings(site)).toMatchObject([{ state: 'cancelled' }])
  expect((await site.get(page)).text).toContain('This booking is cancelled')
  for (const path of ['/booking/forged', '/booking/forged/cancel', '/booking/staff/forged']) {
    expect((await site.get(path)).status).toBe(404)
    expect((await postForm(site, path, { act: 'confirm' })).status).toBe(
      path === '/booking/forged' ? 405 : 404,
    )
  }
  expect(site.logLines().join('\n')).not.toContain(page.split('/').at(-1)!)
})

test('the page of a request beyond a share says what it waits for, and that nothing is held', async () => {
  await using site = await open()
  const pageOf = async (changes: Record<string, unknown>, from: string) => {
    const { json } = await book(site, changes, from)
    return (await site.get(new URL(String(json?.url)).pathname)).text
  }
  // More than a third of a month.
  const link = await pageOf({ from: '2027-02-01', to: '2027-02-20' }, '127.60.1.1')
  expect(link).toContain('Your request is on hold')
  expect(link).toMatch(/open the link we’ve emailed you/)
  expect(link).toContain('The dates aren’t held yet')
  for (let n = 1; n <= 3; n += 1) await book(site, { from: `2027-03-0${n}`, to: `2027-03-0${n}` })
  const staff = await pageOf({ from: '2027-03-10', to: '2027-03-10' }, '127.61.1.1')
  expect(staff).toContain('we’ll look at this one first')
})

test('an offer is accepted or turned down, and billing told, by plain forms at their addresses', async () => {
  await using site = await open()
  const { actions } = site.context.features.bookings
  const offered = async (from: string) => {
    const { json } = await book(site, { from, to: from })
    const reference = String(json?.reference)
    const page = new URL(String(json?.url)).pathname
    await actions.offer(reference, { name: 'mika', isVisitor: false }, null, {
      lines: [{ text: 'Work', quantity: 1, price: 50_000 }],
    })
    return { page, state: () => actions.find(reference), shown: await site.get(page) }
  }
  const first = await offered('2027-01-20')
  expect(first.shown.text).toContain(`action="${first.page}/accept#result"`)
  expect(first.shown.text).toContain(`action="${first.page}/refuse#result"`)
  expect(first.shown.text).toContain(`action="${first.page}/billing#result"`)
  const billed = await postForm(site, `${first.page}/billing`, {
    company: '',
    country: 'FI',
    vatId: '',
    street: 'Ratakatu 1',
    postcode: '96100',
    city: 'Rovaniemi',
  })
  expect([billed.status, billed.headers.location]).toEqual([303, `${first.page}#result`])
  expect(first.state()).toMatchObject({ street: 'Ratakatu 1', postcode: '96100', company: null })
  // The state is asked for where addresses have one, also without scripts.
  expect(first.shown.text).not.toContain('name="region"')
  const american = { country: 'US', street: '1 Speedway', postcode: '28027', city: 'Concord' }
  const asked = await postForm(site, `${first.page}/billing`, american)
  expect(asked.status).toBe(400)
  expect(asked.text).toContain('name="region"')
  expect(asked.text).toContain('Please enter the state, such as IN or Indiana')
  const wrong = await postForm(site, `${first.page}/billing`, { country: 'Finland' })
  expect([wrong.status, wrong.text.includes('href="#billing-country"')]).toEqual([400, true])
  const { offer } = inputsOf(first.shown.text)
  expect((await postForm(site, `${first.page}/accept`, { offer: 'another' })).status).toBe(409)
  expect((await postForm(site, `${first.page}/accept`, { offer: offer! })).status).toBe(303)
  expect(first.state().state).toBe('confirmed')
  expect((await postForm(site, `${first.page}/accept`, { offer: offer! })).status).toBe(409)
  const second = await offered('2027-01-21')
  expect((await postForm(site, `${second.page}/refuse`, { offer: 'another' })).status).toBe(409)
  const declined = await postForm(site, `${second.page}/refuse`, inputsOf(second.shown.text))
  expect(declined.status).toBe(303)
  expect(second.state().state).toBe('declined')
  expect((await site.get(`${second.page}.ics`)).headers['content-type']).toContain('text/calendar')
  for (const act of ['accept', 'refuse', 'billing', 'pay', 'cancel', 'move']) {
    expect((await postForm(site, `/booking/forged/${act}`, {})).status).toBe(404)
  }
})

test('the page of a website’s request speaks of no dates that are held, and of no track', async () => {
  await using site = await open()
  const { json } = await book(site, {
    service: 'website-design',
    to: undefined,
    place: undefined,
    scope: 'A site for our team',
  })
  const page = async () => {
    const { text } = await site.get(new URL(String(json?.url)).pathname)
    return text.replaceAll('<!-- -->', '')
  }
  const requested = await page()
  expect(requested).toContain('We’ve got your request')
  expect(requested).toContain('from €6,900 + VAT')
  expect(requested).not.toContain('We hold your dates')
  const reference = String(json?.reference)
  const total = 'from €6,900 + VAT (€8,659.50 incl. VAT)'
  const shown = async () => runOn(site, 'bookings', 'show', reference)
  expect(await shown()).toContain(`Total: ${total}`)
  const { actions } = site.context.features.bookings
  await actions.confirm(reference, { name: 'mika', isVisitor: false }, null)
  expect(await shown()).not.toContain(total)
  const confirmed = await page()
  expect(confirmed).not.toMatch(/see you at the track|from €6,900/)
})

test('once its days are over, the page of a booking promises nothing that lies behind it', async () => {
  await using site = await open()
  const { json } = await book(site)
  const { actions } = site.context.features.bookings
  await actions.confirm(String(json?.reference), { name: 'mika', isVisitor: false }, null)
  const page = async () => (await site.get(new URL(String(json?.url)).pathname)).text
  const ahead = ['see you at the track', 'a reminder before the first day', 'Add to calendar']
  const promised = async () => {
    const text = await page()
    return ahead.filter((promise) => text.includes(promise))
  }
  expect(await promised()).toEqual(ahead)
  site.clock.advance(Date.parse('2027-01-20T10:00:00Z') - site.clock())
  expect(await promised()).toEqual(['see you at the track', 'Add to calendar'])
  site.clock.advance(12 * 3_600_000)
  expect(await promised()).toEqual([])
  expect(await page()).toContain('Thank you for having us.')
})

test('the first words of a booking’s page name its days, which are far below on a phone', async () => {
  await using site = await open()
  const { json } = await book(site, { to: '2027-01-21' })
  const lead = async () => {
    const { text } = await site.get(new URL(String(json?.url)).pathname)
    return /<\/h1>.*?<p[^>]*>(.*?)<\/p>/s.exec(text)![1]
  }
  expect(await lead()).toContain('We’re holding 20–21 January 2027 for you until')
  const { actions } = site.context.features.bookings
  await actions.confirm(String(json?.reference), { name: 'mika', isVisitor: false }, null)
  expect(await lead()).toBe('Photography, 20–21 January 2027: see you at the track.')
})

test('a fee that waits for an address is told on the page of the cancelled booking', async () => {
  await using site = await open()
  const { json } = await book(site)
  const reference = String(json?.reference)
  const page = new URL(String(json?.url)).pathname
  const told = 'A cancellation fee of €445 + VAT (€558.48 incl. VAT) is due.'
  await site.context.features.bookings.actions.confirm(
    reference,
    { name: 'mika', isVisitor: false },
    null,
  )
  site.clock.advance(Date.parse('2027-01-10T10:00:00Z') - site.clock())
  const confirmed = await site.get(page)
  expect(confirmed.text).toContain(told)
  expect((await postForm(site, `${page}/cancel`, {})).status).toBe(303)
  const cancelled = await site.get(page)
  expect(cancelled.text).toContain(told)
  expect(await runOn(site, 'bookings', 'show', reference)).toContain(
    'Cancellation fee: €445 + VAT (€558.48 incl. VAT), not invoiced yet',
  )
  const address = { country: 'FI', street: 'Ratakatu 1', postcode: '96100', city: 'Rovaniemi' }
  expect((await postForm(site, `${page}/billing`, address)).status).toBe(303)
  expect((await site.get(page)).text).not.toContain(told)
})

test('a link warns that anyone can use it, and the address in a panel doesn’t', async () => {
  await using site = await open()
  const { code } = await makeClient(site, {
    emails: ['aino@example.com'],
    scopes: ['view', 'manage'],
  })
  const headers = { ...csrfHeaders, Cookie: `${csrfHeaders.Cookie}; ${await signIn(site, code)}` }
  const { json } = await site.post('/api/bookings', bookingOf(), { headers })
  const warning = 'Anyone with this link'
  expect((await site.get(new URL(String(json?.url)).pathname)).text).toContain(warning)
  const own = await site.get(`/booking/${String(json?.reference)}`, { headers })
  expect([own.status, own.text.includes(warning)]).toEqual([200, false])
})

test('the page of a cancelled booking says what is to pay, and that of one that is over that it is', async () => {
  await using site = await open()
  const { actions } = site.context.features.bookings
  const mika = { name: 'mika', isVisitor: false }
  const asked = async (from: string) => {
    const { json } = await book(site, { from, to: from })
    const reference = String(json?.reference)
    await actions.confirm(reference, mika, null)
    const path = new URL(String(json?.url)).pathname
    const page = async () => (await site.get(path)).text.replaceAll('<!-- -->', '')
    return { reference, page }
  }
  const early = await asked('2027-02-10')
  await actions.cancel(early.reference, mika, null, 'customer')
  expect(await early.page()).toContain('The dates have been released. There’s nothing to pay.')

  const [late, held] = [await asked('2027-01-20'), await asked('2027-01-25')]
  site.clock.advance(Date.UTC(2027, 0, 15, 10) - site.clock())
  await actions.cancel(late.reference, mika, null, 'customer')
  expect(await late.page()).toMatch(/A cancellation fee of [^.]+\.\d\d incl\. VAT\) is due\./)
  await actions.setBilling(late.reference, mika, {
    company: null,
    country: 'FI',
    street: 'Ratakatu 1',
    postcode: '96100',
    city: 'Rovaniemi',
    region: null,
  })
  const [fee] = actions.billing.of(late.reference)
  const sum = (fee!.open / 100).toFixed(2)
  expect(await late.page()).toContain(`The dates have been released. €${sum} is left to pay.`)
  await site.context.features.orders.actions.paid(fee!.order, { actor: 'mika' })
  expect(await late.page()).toContain('There’s nothing left to pay.')

  site.clock.advance(Date.UTC(2027, 0, 25, 10) - site.clock())
  expect(await held.page()).toContain('This booking has already started.')
  site.clock.advance(86_400_000)
  expect(await held.page()).toContain('This booking is over.')
  expect(await held.page()).not.toContain('already started')
})
