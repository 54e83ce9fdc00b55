import { expect, test } from 'vitest'
import { agreed, open } from '../../support/agreed-booking.ts'
import { book } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite } from '../../support/site.ts'
import { cases, mailTo, withdraw } from '../../support/withdrawals.ts'

const words = (text: string) => text.replaceAll(/\s+/g, ' ')

test('a withdrawal that names a booking is one from the booking: its sender is told how it goes on, and staff are led to it', async () => {
  await using site = await startSite()
  const { reference, url } = (await book(site)).json as { reference: string; url: string }
  const view = async () =>
    (await site.get(`/api/bookings/by-link/${url.split('/').at(-1)}`)).json as {
      withdrawnAt: string | null
    }
  expect((await view()).withdrawnAt).toBeNull()
  await withdraw(site, reference.toLowerCase(), { confirm: true })
  await settled(site)
  expect((await view()).withdrawnAt).toBe(new Date(site.clock()).toISOString())
  const [mail] = mailTo(site, 'We have received your withdrawal')
  expect(words(mail!.text)).toContain(`I withdraw from the contract of booking ${reference}.`)
  expect(words(mail!.text)).toContain('We’ll look at the booking and reply to you.')
  expect(mail!.text).toContain('/booking/')
  expect(mail!.text).not.toMatch(/\border\b/i)
  const [notice] = mailTo(site, `Withdrawal: booking ${reference}`)
  expect(notice!.text).toContain(`/desk/bookings/${reference}`)
  const id = String((await cases(site))[0]!.withdrawal)
  expect(await runOn(site, 'bookings', 'show', reference)).toMatch(
    new RegExp(`Withdrawal ${id}: 20 November 2026, .* \\(Helsinki\\), received`),
  )
  const run = (...args: string[]) => runOn(site, 'orders', 'withdrawals', ...args)
  expect(await run('show', id)).toContain(`It’s about booking ${reference}`)
  await expect(run('settle', id)).rejects.toThrow(`is about booking ${reference}`)
  expect(await run('close', id, '--reason', 'ended without a fee')).toContain(`from ${reference}`)
  expect((await view()).withdrawnAt).toBeNull()
  expect(await runOn(site, 'bookings', 'show', reference)).toContain('withdrawal closed')
})

test('who names someone else’s booking gets no link to it', async () => {
  await using site = await startSite()
  const { reference } = (await book(site)).json as { reference: string }
  await withdraw(site, reference, { email: 'other@example.com', confirm: true })
  await settled(site)
  const [mail] = mailTo(site, 'We have received your withdrawal')
  expect(mail!.text).toContain(reference)
  expect(mail!.text).not.toContain('/booking/')
  const [notice] = mailTo(site, `Withdrawal: booking ${reference}`)
  expect(notice!.text).not.toContain('/desk/bookings/')
  const id = String((await cases(site))[0]!.withdrawal)
  await expect(runOn(site, 'orders', 'withdrawals', 'settle', id)).rejects.toThrow(
    'doesn’t name one of the sender’s orders',
  )
})

test('the invoices of a booking that is withdrawn from aren’t reminded of until staff have dealt with it', async () => {
  await using opened = await open(null)
  const { site } = opened
  const { reference, deposit } = await agreed(site)
  await withdraw(site, reference, { confirm: true })
  const remindersAfter = async (days: number) => {
    site.clock.advance(days * 86_400_000)
    await site.context.jobs.runDue()
    const mails = await opened.news()
    return mails.map(({ subject }) => subject).filter((subject) => subject.startsWith('Reminder'))
  }
  expect(await remindersAfter(16)).toEqual([])
  const id = String((await cases(site))[0]!.withdrawal)
  await runOn(site, 'orders', 'withdrawals', 'close', id, '--reason', 'the 14 days were over')
  expect(await remindersAfter(1)).toEqual([
    `Reminder: invoice ${deposit.invoice} for booking ${reference}`,
  ])
})
