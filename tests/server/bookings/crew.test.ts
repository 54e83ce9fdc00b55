import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { book } from '../../support/bookings.ts'
import { season } from '../../support/content-events.ts'
import { settled } from '../../support/enquiry.ts'
import { eventually } from '../../support/eventually.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { mailsTo, startSmtp } from '../../support/smtp.ts'

const rules = JSON.stringify({
  services: { photography: { capacity: 2 } },
  crew: [{ name: 'Aino', services: ['photography'], email: 'crew@example.com' }],
})

/** A site with someone of the crew, and what they have been written. */
async function withCrew() {
  const opened = new AsyncDisposableStack()
  const smtp = opened.use(await startSmtp())
  const content = opened.use(season(undefined, { 'booking-rules.json': rules }))
  const site = opened.use(
    await startSite({ env: { SMTP_URL: smtp.url, CONTENT_DIR: content.directory } }),
  )
  const { json } = await book(site, { start: '09:00', end: '17:00' })
  return {
    site,
    smtp,
    reference: String(json?.reference),
    writeRules: (text: string) =>
      writeFileSync(join(content.directory, 'booking-rules.json'), text),
    run: (...words: string[]) => runOn(site, 'bookings', ...words),
    async told() {
      await settled(site)
      return mailsTo(site, smtp, 'crew@example.com')
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('the crew hear of other times, another place and a note, and the call sheet has them', async () => {
  await using house = await withCrew()
  const { run, reference, told } = house
  await run('confirm', reference)
  await run('assign', reference, 'Aino')
  await run('edit', reference, '--start', '06:00', '--place', 'Kemi', '--no-mail')
  await run('edit', reference, '--note', 'Gate 4')
  // Whom to invoice is none of theirs.
  await run('edit', reference, '--company', 'Rally Oy')
  const mails = await told()
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual([
    'You’re on',
    'Updated',
    'Updated',
  ])
  expect(mails[1]!.text).toContain('06:00')
  expect(mails[1]!.text).toContain('Kemi')
  expect(mails[1]!.calendar?.ics).toContain('T060000')
  // Neither place, times nor contact are others with it.
  expect(mails[2]!.text).toContain('The call sheet has changed')
  expect(await run('show', reference)).toMatch(/^crew: Aino$/m)
})

test('who keeps dates free for a request hears that it’s confirmed, unless that is taken back', async () => {
  await using house = await withCrew()
  const { run, reference, site, told } = house
  await run('assign', reference, 'Aino')
  const [asked] = await told()
  expect(asked!.text).toContain('It isn’t confirmed yet. Keep the dates free.')
  expect(asked!.calendar!.ics).toContain('STATUS:TENTATIVE')
  await run('confirm', reference)
  await run('undo', reference)
  site.clock.advance(11 * 60_000)
  expect(await told()).toHaveLength(1)
  await run('confirm', reference)
  site.clock.advance(11 * 60_000)
  const mails = await told()
  expect(mails).toHaveLength(2)
  expect(mails[1]!.subject).toMatch(/^Confirmed: .* 20 January 2027/)
  expect(mails[1]!.calendar!.ics).toContain('STATUS:CONFIRMED')
})

test('taken off and put on again, the later invitation counts in the crew’s calendar', async () => {
  await using house = await withCrew()
  const { run, reference, site, told } = house
  for (const way of [[], ['--remove'], []]) {
    site.clock.advance(60_000)
    await run('assign', reference, 'Aino', ...way)
    await told()
  }
  const stamps = (await told()).map(({ calendar }) => /DTSTAMP:(\w+)/.exec(calendar!.ics)![1])
  expect(stamps).toHaveLength(3)
  const [first, second, third] = stamps as [string, string, string]
  expect([second > first, third > second]).toEqual([true, true])
})

test('who has left the crew is taken off their bookings, at the desk, too, and their calendar is closed', async () => {
  await using house = await withCrew()
  const { run, reference, site } = house
  await run('assign', reference, 'Aino')
  const feed = new URL((await run('feed', '--crew', 'Aino')).trim()).pathname
  expect((await site.get(feed)).text).toContain(reference)
  house.writeRules(rules.replace('Aino', 'Elias'))
  await eventually(async () =>
    expect(await run('show', reference)).toContain('Aino is no longer on the crew'),
  )
  // Their calendar told them whom to call, and would go on with whatever changes.
  expect((await site.get(feed)).status).toBe(404)
  const { headers } = await signIn(site, ['desk'])
  const { json } = await site.get(`/api/desk/things/bookings/${reference}`, { headers })
  const acts = json?.acts as { act: string; fields: { options?: { value: string }[] }[] }[]
  const off = acts.find(({ act }) => act === 'unassign')!
  expect(off.fields[0]!.options).toMatchObject([{ value: 'Aino' }])
  await expect(run('assign', reference, 'Aino')).rejects.toThrow('No crew member is called Aino')
  await run('assign', reference, 'aino', '--remove')
  expect(await run('show', reference)).not.toContain('Aino is no longer')
})

test('crew who heard of new dates hear of the old ones again once the move is taken back', async () => {
  await using house = await withCrew()
  const { run, reference, site, told } = house
  await run('confirm', reference)
  await run('assign', reference, 'Aino')
  site.clock.advance(11 * 60_000)
  await told()
  await run('move', reference, '2027-02-10')
  await run('undo', reference)
  // No one knew of the move, so no one hears that it's off.
  expect(await told()).toHaveLength(1)
  site.clock.advance(60_000)
  await run('move', reference, '2027-02-10')
  await run('edit', reference, '--place', 'Kemi', '--no-mail')
  expect((await told()).at(-1)!.subject).toMatch(/^Updated: .* 10 February 2027/)
  await run('undo', reference)
  const mails = await told()
  expect(mails).toHaveLength(3)
  expect(mails.at(-1)!.subject).toMatch(/^New dates: .* 20 January 2027/)
  expect(mails.at(-1)!.calendar!.ics).toContain('20270120')
})

test('who was told that a booking is off hears that it’s on again', async () => {
  await using house = await withCrew()
  const { run, reference, site, told } = house
  await run('assign', reference, 'Aino')
  expect((await told()).at(-1)!.subject).not.toMatch(/^Cancelled/)
  site.clock.advance(5 * 86_400_000)
  await site.context.jobs.runDue()
  expect((await told()).at(-1)!.subject).toMatch(/^Cancelled/)
  await run('confirm', reference)
  site.clock.advance(11 * 60_000)
  expect((await told()).at(-1)!.subject).toMatch(/^You’re on/)
})

test('reminders that the mail server held up are not sent once they are wrong', async () => {
  await using smtp = await startSmtp()
  using content = season(undefined, { 'booking-rules.json': rules })
  await using site = await startSite({
    env: { SMTP_URL: smtp.url, CONTENT_DIR: content.directory },
  })
  const take = async (changes: Record<string, string>) => {
    const reference = String((await book(site, changes)).json?.reference)
    await runOn(site, 'bookings', 'confirm', reference)
    await runOn(site, 'bookings', 'assign', reference, 'Aino')
    return reference
  }
  await take({ email: 'first@example.com' })
  await take({ from: '2027-01-21', to: '2027-01-21', email: 'second@example.com' })
  await settled(site)
  const at = async (time: string) => {
    site.clock.advance(Date.parse(time) - site.clock())
    await site.context.jobs.runDue()
    await settled(site)
  }
  const remindersTo = (address: string) =>
    smtp.mails
      .filter(({ envelopeTo }) => envelopeTo.includes(address))
      .map(({ subject }) => subject.split(':')[0]!)
      .filter((words) => ['Soon', 'Today', 'Tomorrow'].includes(words))
  await at('2027-01-18T12:00+02:00')
  const before = remindersTo('first@example.com').length

  smtp.mood = { recipient: 450 }
  await at('2027-01-19T10:00+02:00')
  await at('2027-01-20T07:00+02:00')
  smtp.mood = 'take'
  await at('2027-01-20T09:01+02:00')
  // The day has come: who booked it isn't told that it's coming, and the crew that it's today.
  expect(remindersTo('first@example.com')).toHaveLength(before)
  expect(remindersTo('crew@example.com').toSorted()).toEqual(['Today', 'Tomorrow'])

  smtp.mood = { recipient: 450 }
  const third = await take({ from: '2027-01-28', to: '2027-01-28', email: 'third@example.com' })
  await at('2027-01-27T09:30+02:00')
  await runOn(site, 'bookings', 'cancel', third)
  smtp.mood = 'take'
  await at('2027-01-27T13:00+02:00')
  expect(remindersTo('third@example.com')).toEqual([])
  expect(remindersTo('second@example.com')).toContain('Soon')
})

test('by a clock that is years ahead no reminder that waits is taken for one that is too late', async () => {
  await using house = await withCrew()
  const { run, reference, site, smtp, told } = house
  await run('confirm', reference)
  await run('assign', reference, 'Aino')
  await told()
  smtp.mood = { recipient: 450 }
  site.clock.advance(Date.parse('2027-01-19T09:30+02:00') - site.clock())
  await site.context.jobs.runDue()
  await settled(site)
  site.clock.jump(3 * 365 * 86_400_000)
  await site.context.siteClock.look()
  expect(site.context.siteClock.doubt()).not.toBeNull()
  smtp.mood = 'take'
  site.context.outbox.wake()
  expect((await told()).at(-1)!.subject).toMatch(/^Tomorrow: Photography/)
})
