import { expect, test } from 'vitest'
import { book } from '../support/bookings.ts'
import { eventually } from '../support/eventually.ts'
import { runOn } from '../support/in-process-cli.ts'
import { mailFiles } from '../support/mail-files.ts'
import { withSeason } from '../support/season-cli.ts'

const rally = {
  id: 'rally',
  title: 'Winter Rally',
  city: 'Rovaniemi',
  start: '2027-01-20',
  end: '2027-01-21',
  Status: 'published',
}

async function withBooking() {
  const season = await withSeason([rally])
  const range = { from: '2027-01-20', to: '2027-01-20', event: 'rally' }
  const { json } = await book(season.site, range)
  return { season, reference: String(json?.reference) }
}

const mailsTo = (dataDir: string, words: string) =>
  mailFiles(dataDir).filter(({ subject }) => subject?.includes(words))

test('cancelling an event lists its bookings and shows their email, which is sent only when asked to', async () => {
  const { season, reference } = await withBooking()
  await using _ = season
  const { run, site } = season
  const said = await run('cancel', 'rally', '--by', 'Noora')
  for (const words of [
    '1 booking is affected',
    reference,
    `Winter Rally is cancelled: booking ${reference}`,
    'The organiser has cancelled Winter Rally.',
    'Not sent. Send with: pitlane events notify rally --send',
  ]) {
    expect(said).toContain(words)
  }
  expect(JSON.parse(await run('notices', '--json'))).toMatchObject([
    { event: 'rally', bookings: 1, by: 'Noora' },
  ])
  site.context.outbox.start()
  expect(await run('notify', 'rally', '--send', '--by', 'Noora')).toContain('1 email queued')
  await expect.poll(() => mailsTo(site.dataDir, 'is cancelled')).toHaveLength(1)
  const [mail] = mailsTo(site.dataDir, 'is cancelled')
  expect(mail!.to).toContain('aino@example.com')
  expect(mail!.text).toContain('/booking/')
  expect(await run('notify', 'rally', '--send')).toContain('needs telling')
  const history = await runOn(site, 'bookings', 'show', reference)
  expect(history).toContain('told about the event change')
  expect(await run('show', 'rally')).toMatch(/Noora[\s\S]*cancelled[\s\S]*clients told/)
})

test('cancelling by the link costs travel alone once the organiser has cancelled the event', async () => {
  const { season, reference } = await withBooking()
  await using _ = season
  const { run, site } = season
  const { actions } = site.context.features.bookings
  const visitor = actions.visitorUrl(actions.find(reference)).split('/').at(-1)!
  await runOn(site, 'bookings', 'offer', reference, '--line', 'Work=1000.00')
  await runOn(site, 'bookings', 'confirm', reference, '--by-phone')
  // Eight days before, cancelling would cost a half.
  site.clock.advance(Date.parse('2027-01-12T12:00+02:00') - site.clock())
  const acts = async () => (await site.get(`/api/bookings/by-link/${visitor}`)).json?.acts
  expect(await acts()).toMatchObject({ due: 62_750 })
  await run('cancel', 'rally')
  await eventually(async () =>
    expect(await acts()).toMatchObject({ due: 0, cancelling: ['There’s nothing to pay.'] }),
  )
  const link = `/api/bookings/by-link/${visitor}/cancel`
  expect((await site.post(link, { due: 62_750 })).status).toBe(409)
  expect((await site.post(link, { due: 0 })).status).toBe(200)
  expect(actions.find(reference)).toMatchObject({ state: 'cancelled', fee: null })
  expect(actions.billing.of(reference)).toEqual([])
})

test('a new venue is told beside the dates, which are none that are new', async () => {
  const { season } = await withBooking()
  await using _ = season
  const { run, site } = season
  site.context.outbox.start()
  await run('edit', 'rally', '--city', 'Kemi', '--yes')
  await expect.poll(() => mailsTo(site.dataDir, 'has a new venue')).toHaveLength(1)
  const [mail] = mailsTo(site.dataDir, 'has a new venue')
  expect(mail!.text).toMatch(/^Dates +20.{1,3}21 January 2027$/m)
  expect(mail!.text).not.toMatch(/New dates|^Was/m)
})

test('new dates are told once, however often they were edited; what does not matter is not told', async () => {
  const { season, reference } = await withBooking()
  await using _ = season
  const { run, site } = season
  expect(await run('edit', 'rally', '--description', 'Snow stages.')).not.toContain('Not sent')
  await run('edit', 'rally', '--start', '2027-01-27', '--end', '2027-01-28')
  await run('edit', 'rally', '--start', '2027-01-20', '--end', '2027-01-21')
  expect(await run('notices')).toBe('All clients have been told.\n')
  await run('edit', 'rally', '--start', '2027-01-27', '--end', '2027-01-28')
  site.context.outbox.start()
  await run('edit', 'rally', '--city', 'Kemi', '--yes')
  await expect.poll(() => mailsTo(site.dataDir, 'has new dates')).toHaveLength(1)
  const [mail] = mailsTo(site.dataDir, 'has new dates')
  expect(mail!.subject).toBe(`Winter Rally has new dates: booking ${reference}`)
  expect(mail!.text).toMatch(/27.{1,3}28 January 2027/)
  expect(mail!.text).toMatch(/20.{1,3}21 January 2027/)
})

test('a new event lists the bookings at its place on its days, and an ended booking is left in peace', async () => {
  await using season = await withSeason([rally])
  const { run, site } = season
  const near = { from: '2027-02-10', to: '2027-02-10', place: 'Ice track of Kuusamo' }
  const { json } = await book(site, near)
  const added = ['--start', '2027-02-10', '--end', '2027-02-11', '--city', 'Kuusamo']
  expect(await run('add', 'Ice Sprint', ...added)).toContain(String(json?.reference))
  const named = await book(site, {
    from: '2027-01-21',
    to: '2027-01-21',
    event: 'rally',
    email: 'b@example.com',
  })
  await runOn(site, 'bookings', 'decline', String(named.json?.reference))
  expect(await run('cancel', 'rally')).toBe('rally: cancelled\n')
})

test('who gets no emails is named to staff and called, whatever becomes of the event', async () => {
  await using season = await withSeason([rally])
  const { run, site } = season
  const words = '--service photography --from 2027-01-20 --place Rovaniemi --event rally --no-mail'
  const add = (...more: string[]) =>
    runOn(site, 'bookings', 'add', ...words.split(' '), '--name', 'Aino Virtanen', ...more)
  await add('--phone', '+358401234567')
  await add('--email', 'nomail@example.com', '--from', '2027-01-21')
  const said = await run('cancel', 'rally')
  expect(said).toContain('2 bookings are affected')
  expect(said).toContain('no emails: please call')
  expect(said).toContain('None of these clients gets emails')
  expect(await run('notify', 'rally', '--send')).toContain('0 emails queued')
  expect(site.context.mails.list().map(({ kind }) => kind)).not.toContain('eventChanged')
})

test('a booking by phone can name an event that has begun, is full or postponed, and none that is off', async () => {
  await using season = await withSeason([
    { ...rally, id: 'runs', start: '2026-11-19', end: '2026-11-22' },
    { ...rally, id: 'full', coverage: 'full' },
    { ...rally, id: 'late', status: 'postponed' },
    { ...rally, id: 'off', status: 'cancelled' },
  ])
  const add = (event: string, from: string) => {
    const words = `add --service photography --from ${from} --place Rovaniemi --no-mail --confirm`
    return runOn(
      season.site,
      'bookings',
      ...words.split(' '),
      '--name',
      'Aino Virtanen',
      '--phone',
      '+358401234567',
      '--event',
      event,
    )
  }
  // Today is the second day of it.
  expect(await add('runs', '2026-11-21')).toContain('confirmed')
  expect(await add('full', '2027-01-20')).toContain('confirmed')
  expect(await add('late', '2027-01-21')).toContain('confirmed')
  for (const event of ['off', 'nowhere'])
    await expect(add(event, '2027-01-22')).rejects.toThrow('Unknown or cancelled event')
})

test('an email about a changed event offers what the page of the booking does, also shortly before', async () => {
  const { season, reference } = await withBooking()
  await using _ = season
  const { run, site } = season
  const asked = await run('cancel', 'rally')
  expect(asked).toContain('Nothing is binding yet, so cancelling costs nothing.')
  expect(asked).toContain('it’s all on your booking page')
  await runOn(site, 'bookings', 'confirm', reference)
  // Five days before: the page asks them to write.
  site.clock.advance(Date.parse('2027-01-15T10:00:00Z') - site.clock())
  await run('edit', 'rally', '--status', 'scheduled')
  const late = await run('cancel', 'rally')
  expect(late).not.toContain('on your booking page')
  expect(late).toContain('cancel: reply to this email or call us.')
  expect(late).toContain('you only pay travel costs')
})
