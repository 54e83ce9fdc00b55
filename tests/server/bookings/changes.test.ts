import { expect, test } from 'vitest'
import { book, daysOf } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'

const day = 86_400_000
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const tokenOf = (url: string) => url.split('/').at(-1)!

/** A confirmed booking of 20 January with a wish for 10 and 11 February, and what can be done with it. */
async function asked(site: Site) {
  const { json } = await book(site)
  const { actions } = site.context.features.bookings
  const reference = String(json?.reference)
  const find = () => actions.bookings.find(reference)!
  const visitor = tokenOf(String(json?.url))
  const staff = tokenOf(actions.staffUrl(find()))
  const answer = (act: string, more: object = {}) =>
    site.post(`/api/bookings/by-staff-link/${staff}`, { act, ...more })
  const move = (from: string, to = from) =>
    site.post(`/api/bookings/by-link/${visitor}/move`, { from, to })
  expect((await answer('confirm')).status).toBe(200)
  expect((await move('2027-02-10', '2027-02-11')).status).toBe(200)
  const places = async () => {
    const [january, february] = await Promise.all([
      daysOf(site, '2027-01-20'),
      daysOf(site, '2027-02-10', '2027-02-11'),
    ])
    return [...january.values(), ...february.values()].map(({ free }) => free)
  }
  const view = async () => (await site.get(`/api/bookings/by-link/${visitor}`)).json
  return { reference, find, answer, move, places, view, staff, visitor }
}

test('asking for other dates keeps what was agreed, and holds both', async () => {
  await using site = await startSite({ sending: false })
  const { view, places, reference } = await asked(site)
  expect(await view()).toMatchObject({
    state: 'confirmed',
    from: '2027-01-20',
    to: '2027-01-20',
    change: {
      from: '2027-02-10',
      to: '2027-02-11',
      heldUntil: '2026-11-23T12:00:00.000Z',
      price: '€1,780 + VAT (€2,233.90 incl. VAT)',
    },
  })
  expect(await places()).toEqual([1, 1, 1])
  const shown = JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as object
  expect(shown).toMatchObject({ state: 'confirmed', change: { from: '2027-02-10' } })
})

test('staff confirm the new dates, and the old ones are free', async () => {
  await using site = await startSite({ sending: false })
  const { view, places, answer, find } = await asked(site)
  expect((await answer('confirm')).status).toBe(200)
  expect(await view()).toMatchObject({ state: 'confirmed', from: '2027-02-10', change: null })
  expect(await places()).toEqual([2, 1, 1])
  const [line] = find().agreement!.lines
  expect([find().agreement!.from, line?.quantity]).toEqual(['2027-02-10', 2])
})

test.each(['decline', 'wait', 'take back', 'cancel'] as const)(
  'a wish for other dates ends: %s',
  async (how) => {
    await using smtp = await startSmtp()
    await using site = await startSite({
      env: { SMTP_URL: smtp.url, STAFF_EMAIL: 'staff@example.com' },
    })
    const { view, places, answer, move, reference } = await asked(site)
    if (how === 'decline') await answer('decline')
    if (how === 'take back') await move('2027-01-20')
    if (how === 'cancel') await runOn(site, 'bookings', 'cancel', reference)
    if (how === 'wait') site.clock.advance(3 * day)
    await site.context.jobs.runDue()
    // The email of a decision leaves once it can't be taken back any more.
    site.clock.advance(11 * 60_000)
    await settled(site)
    const isOver = how === 'cancel'
    expect(await view()).toMatchObject({
      state: isOver ? 'cancelled' : 'confirmed',
      from: '2027-01-20',
      change: null,
    })
    expect(await places()).toEqual(isOver ? [2, 2, 2] : [1, 2, 2])
    const subject = isOver
      ? `Cancelled: booking ${reference}`
      : `Your booking ${reference} is unchanged`
    // Both were told what the new dates cost before anyone confirms them.
    const asking = smtp.mails.filter((mail) => mail.subject.startsWith('Date change for'))
    expect(asking).toHaveLength(2)
    for (const mail of asking) {
      expect(inOneLine(mail.text)).toContain('€1,780 + VAT (€2,233.90 incl. VAT)')
    }
    const own = smtp.mails.filter(({ envelopeTo }) => envelopeTo.includes('aino@example.com'))
    expect(own.map((mail) => mail.subject)).toContain(subject)
    const last = own.find((mail) => mail.subject === subject)!
    if (!isOver)
      expect(inOneLine(last.text)).toContain('Wednesday 20 January 2027 is still confirmed')
    expect(inOneLine(last.text)).toContain(
      {
        decline: 'We can’t take 10–11 February 2027',
        wait: 'didn’t confirm 10–11 February 2027',
        'take back': 'We no longer hold 10–11 February 2027',
        cancel: 'We’ve cancelled your booking',
      }[how],
    )
  },
)

test('new dates that others have leave everything as it was', async () => {
  await using site = await startSite({ sending: false })
  for (let n = 0; n < 2; n += 1) {
    await book(site, { from: '2027-03-10', to: '2027-03-10' }, `127.70.${n}.1`)
  }
  const { move, find } = await asked(site)
  const before = find()
  expect((await move('2027-03-10')).status).toBe(409)
  expect(find()).toEqual(before)
})

test('staff move a confirmed booking at once, and its visitor hears from which dates to which', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { reference, view, places } = await asked(site)
  await runOn(site, 'bookings', 'move', reference, '2027-02-11')
  expect(await view()).toMatchObject({ state: 'confirmed', from: '2027-02-11', change: null })
  expect(await places()).toEqual([2, 2, 1])
  site.clock.advance(11 * 60_000)
  await settled(site)
  const mail = smtp.mails.find(({ subject }) => subject.startsWith('New dates'))
  expect(inOneLine(mail!.text)).toContain(
    'Thursday 11 February 2027 instead of Wednesday 20 January 2027',
  )
})

test('the email of new dates says them, not what we wrote with the earlier ones', async () => {
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url } })
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference, '--text', 'See you on the 20th, at gate 4.')
  site.clock.advance(11 * 60_000)
  await settled(site)
  await runOn(site, 'bookings', 'move', reference, '2027-02-11')
  site.clock.advance(11 * 60_000)
  await settled(site)
  const mail = smtp.mails.find(({ subject }) => subject.startsWith('New dates'))
  expect(inOneLine(mail!.text)).toContain(
    'it now takes place on Thursday 11 February 2027 instead of Wednesday 20 January 2027',
  )
  expect(mail!.text).not.toContain('on the 20th')
})

test('staff move a booking to the next day without notice, and never to one that has passed', async () => {
  await using site = await startSite({ sending: false })
  const { reference, move, find } = await asked(site)
  const actor = { name: 'mika', isVisitor: false }
  const { actions } = site.context.features.bookings
  // A day before, the organiser puts the race off for a day.
  site.clock.advance(Date.parse('2027-01-19T15:00+02:00') - site.clock())
  await actions.move(reference, actor, { from: '2027-01-21', to: '2027-01-21' })
  expect(find()).toMatchObject({ state: 'confirmed', from: '2027-01-21' })
  await expect(
    actions.move(reference, actor, { from: '2027-01-18', to: '2027-01-18' }),
  ).rejects.toMatchObject({ errors: { from: 'This day has passed' } })
  // To its visitor the notice counts, as ever.
  expect((await move('2027-02-10')).status).toBe(410)
})

test('what changed since staff opened their page is shown again, never confirmed unseen', async () => {
  await using site = await startSite({ sending: false })
  const { staff, answer, move, find } = await asked(site)
  const seen = async () =>
    Number((await site.get(`/api/bookings/by-staff-link/${staff}`)).json?.sequence)
  const before = await seen()
  await move('2027-02-17')
  const refused = await answer('confirm', { sequence: before })
  expect([refused.status, refused.json?.message]).toEqual([
    409,
    'This booking has changed since you opened the page. Please look at it again before you decide.',
  ])
  expect(find()).toMatchObject({ from: '2027-01-20', change: { from: '2027-02-17' } })
  expect((await answer('confirm', { sequence: await seen() })).status).toBe(200)
  expect(find()).toMatchObject({ from: '2027-02-17', change: null })
})

test('the history says in words which days were asked for, and a day once', async () => {
  await using site = await startSite({ sending: false })
  const { reference, answer } = await asked(site)
  expect((await answer('decline')).status).toBe(200)
  await runOn(site, 'bookings', 'move', reference, '2027-01-21')
  const { history } = JSON.parse(await runOn(site, 'bookings', 'show', reference, '--json')) as {
    history: { note: string | null }[]
  }
  expect(history.flatMap(({ note }) => note ?? [])).toEqual([
    'asks for 10–11 February 2027 instead of Wednesday 20 January 2027',
    'stays: Wednesday 20 January 2027',
    'Wednesday 20 January 2027 became Thursday 21 January 2027',
  ])
})
