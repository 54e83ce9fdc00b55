import { expect, test } from 'vitest'
import { reminderBefore } from '#server/bookings/days/hold-end.ts'
import { book } from '../../support/bookings.ts'
import { contentFiles } from '../../support/content-files.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'

const at = (text: string) => Date.parse(text)

test.each([
  ['in office hours', '2026-11-26T12:00+02:00', '2026-11-24T12:00+02:00'],
  ['at midnight', '2026-11-27T00:00+02:00', '2026-11-24T12:00+02:00'],
  ['in the evening', '2026-11-27T20:00+02:00', '2026-11-25T12:00+02:00'],
  ['on a weekend', '2026-12-01T00:00+02:00', '2026-11-27T12:00+02:00'],
  ['over Christmas', '2026-12-28T10:00+02:00', '2026-12-23T12:00+02:00'],
  ['over the switch to summer time', '2027-03-30T00:00+03:00', '2027-03-25T12:00+02:00'],
])('two days before an end %s there is somebody to ask', (_, end, reminded) => {
  expect(new Date(reminderBefore(at(end), 48)).toISOString()).toBe(new Date(reminded).toISOString())
})

/** A request that staff have made an offer for. */
async function offered(site: Site, ...entries: string[]) {
  const { json } = await book(site)
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'offer', reference, '--line', 'Work=500.00', ...entries)
  return { reference, token: String(json?.url).split('/').at(-1)! }
}

/** Lets time pass until an instant, with what falls due meanwhile. @returns the subjects of all emails */
async function until(site: Site, instant: string) {
  site.clock.advance(at(instant) - site.clock())
  await site.context.jobs.runDue()
  site.context.outbox.wake()
  await settled(site)
  return mailFiles(site.dataDir)
}

const ends = /^Our offer for Photography ends on/

test('its customer hears once that an offer ends, and staff that nobody answered it', async () => {
  await using site = await startSite()
  // Open until the end of Wednesday, so that two days before is the night to Tuesday.
  await offered(site, '--until', '2026-12-02')
  expect((await until(site, '2026-11-30T11:59+02:00')).filter((m) => ends.test(m.subject))).toEqual(
    [],
  )
  const reminded = (await until(site, '2026-11-30T12:00+02:00')).filter((m) => ends.test(m.subject))
  expect(reminded).toHaveLength(1)
  expect(reminded[0]!.to).toContain('aino@example.com')
  expect(reminded[0]!.text).toContain(
    'We hold Wednesday 20 January 2027 for you until 2 December 2026, 23:59 (Helsinki).',
  )
  expect(reminded[0]!.text).toContain('€627.50')
  expect(reminded[0]!.text).not.toContain('Rovaniemi')
  expect(reminded[0]!.calendar!.ics).toContain('STATUS:TENTATIVE')
  expect(reminded[0]!.calendar!.method).toBe('REQUEST')
  const all = await until(site, '2026-12-03T00:01+02:00')
  expect(all.filter((m) => ends.test(m.subject))).toHaveLength(1)
  const ended = all.find((m) => m.subject.startsWith('Offer ended unanswered'))!
  expect(ended.to).toContain('staff')
  expect(ended.text).toContain('Aino Virtanen didn’t answer our offer in time.')
})

test('no reminder for a short offer, one that was answered, or where the rules want none', async () => {
  await using site = await startSite()
  await offered(site, '--until', '2026-11-21')
  const answered = await offered(site, '--until', '2026-12-02')
  expect((await site.post(`/api/bookings/by-link/${answered.token}/refuse`, {})).status).toBe(200)
  const replaced = await offered(site, '--until', '2026-12-02')
  await runOn(site, 'bookings', 'offer', replaced.reference, '--until', '2026-12-09')
  const before = await until(site, '2026-12-04T12:00+02:00')
  expect(before.filter((m) => ends.test(m.subject))).toEqual([])
  const after = await until(site, '2026-12-07T12:00+02:00')
  expect(after.filter((m) => ends.test(m.subject))).toHaveLength(1)

  using files = contentFiles({
    'booking-rules.json': { offerReminderHours: 0, services: { photography: {} } },
  })
  await using quiet = await startSite({ env: { CONTENT_DIR: files.dir } })
  await offered(quiet, '--until', '2026-12-02')
  const mails = await until(quiet, '2026-12-02T23:00+02:00')
  expect(mails.filter((m) => ends.test(m.subject))).toEqual([])
})
