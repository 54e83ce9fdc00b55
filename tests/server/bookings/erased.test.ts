import { expect, test } from 'vitest'
import { book, daysOf } from '../../support/bookings.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { readByTwo } from '../../support/read-calendar.ts'
import { startSite } from '../../support/site.ts'

test('erasing a person names their bookings to come, and takes them out of staff’s calendar', async () => {
  await using site = await startSite({ sending: false })
  const reference = String((await book(site)).json?.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  const feed = new URL((await runOn(site, 'bookings', 'feed')).trim()).pathname
  const [before] = readByTwo((await site.get(feed)).text)
  const sentence = `Upcoming booking ${reference}: photography, Wednesday 20 January 2027, confirmed.`
  expect(await runOn(site, 'privacy', 'erase', 'aino@example.com')).toContain(sentence)
  expect(await runOn(site, 'privacy', 'erase', 'aino@example.com', '--yes')).toContain(sentence)
  const { text } = await site.get(feed)
  expect(text).not.toMatch(/Aino|aino@|Rovaniemi/)
  for (const after of readByTwo(text)) {
    expect(after.get(reference)).toMatchObject({
      uid: before.get(reference)!.uid,
      status: 'CANCELLED',
      start: '2027-01-20',
    })
    expect(after.get(reference)!.sequence).toBeGreaterThan(before.get(reference)!.sequence)
  }
  expect((await daysOf(site, '2027-01-20')).get('2027-01-20')?.free).toBe(2)
})
