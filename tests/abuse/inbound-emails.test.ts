import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { mailFiles } from '../support/mail-files.ts'
import { email, startInbound, type Inbound } from '../support/inbound.ts'
import { settled } from '../support/enquiry.ts'

const megabyte = 1024 * 1024

const messages = ({ site }: Inbound) =>
  site.context.features.contact.tickets
    .messages('abc123')
    .filter(({ author }) => author === 'visitor')

const waiting = ({ site }: Inbound) => site.context.features.contact.inbound.waiting()

test('of an email of 40 MB only the header is read, and staff hear of it', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  const header = email({ 'In-Reply-To': reply, Subject: 'The film' }, '')
  const uid = imap.deliver(Buffer.concat([Buffer.from(header), Buffer.alloc(40 * megabyte, 'a')]))
  await receive()
  expect(messages(inbound)).toEqual([])
  expect(waiting(inbound)).toMatchObject([
    { subject: 'The film', sender: 'aino@example.com', reason: 'large', ticketId: 'abc123' },
  ])
  expect(imap.flagsOf(uid)).toEqual([])
  expect(imap.sent()).toBeLessThan(2_000)
})

test('a server that says less than it has is read no further', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  const header = email({ 'In-Reply-To': reply, Subject: 'Short' }, 'Short.')
  const raw = Buffer.concat([Buffer.from(header), Buffer.alloc(40 * megabyte, 'a\r\n')])
  imap.deliver(raw, { saidBytes: 900 })
  await receive()
  expect(imap.sent()).toBeLessThan(megabyte)
  expect(messages(inbound)).toEqual([])
  expect(waiting(inbound)).toMatchObject([{ subject: 'Short', reason: 'unreadable' }])
})

test('ten megabytes of lines are an answer of the usual length', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  const header = email({ 'In-Reply-To': reply }, 'Long.')
  imap.deliver(Buffer.concat([Buffer.from(header), Buffer.alloc(9 * megabyte, 'a\r\n')]))
  await receive()
  const { id, text } = messages(inbound)[0]!
  expect(text).toMatch(/^Long\.[^]*\[Cut here\. The rest is in the email\.\]$/)
  expect(text.length).toBeLessThanOrEqual(10_000)
  const kept = inbound.site.context.features.contact.inbound.emailOf(id)!
  expect(kept.isCut).toBe(true)
  expect(kept.text.length).toBeLessThanOrEqual(70_000)
})

test('our Message-ID counts among a thousand others, and a header without end is bounded', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  const others = Array.from({ length: 999 }, (_, n) => `<${n}.${'x'.repeat(40)}@example.com>`)
  imap.deliver(email({ References: [...others, reply].join('\r\n ') }, 'One of 1000.'))
  imap.deliver(email({ References: `<${'y'.repeat(300_000)}` }, 'A long one.'))
  imap.deliver(email({ References: '<a@b> '.repeat(50_000) + reply }, 'The nearest of many.'))
  await receive()
  expect(messages(inbound).map(({ text }) => text)).toEqual([
    'One of 1000.',
    'The nearest of many.',
  ])
})

test('nothing in an email’s header reaches the header of ours', async () => {
  await using inbound = await startInbound()
  const { site, imap, reply, receive } = inbound
  const injected = '=?utf-8?Q?Hi=0D=0ABcc:_victim@example.com?='
  imap.deliver(
    email(
      {
        'In-Reply-To': reply,
        Subject: injected,
        From: `=?utf-8?Q?Hi=0D=0ABcc=3A_x?= <aino@example.com>`,
      },
      'Yes.\r\nBcc: victim@example.com\r\n\r\n.\r\nMAIL FROM:<a@b>',
    ),
  )
  imap.deliver(email({ Subject: injected }))
  await receive()
  await settled(site)
  expect(messages(inbound)).toHaveLength(1)
  const notice = mailFiles(site.dataDir).at(-1)!
  expect(notice.to).toContain('staff@example.com')
  expect(notice.headers.bcc).toBeUndefined()
  expect(notice.subject).toBe('Aino Virtanen added to a message [Ticket: abc123]')
  expect(waiting(inbound)[0]!.subject).toBe('Hi Bcc: victim@example.com')
})

test('emails that are broken, deep or full of parts hold nothing up', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  const thread = { 'In-Reply-To': reply }
  const of = (boundary: string) => ({
    ...thread,
    'Content-Type': `multipart/mixed; boundary=${boundary}`,
  })
  imap.deliver('\r\n\r\n')
  imap.deliver('no header at all')
  imap.deliver(email(of('b'), '--b\r\nContent-Type: text/plain\r\n\r\nNo end'))
  imap.deliver(
    email(of('b'), '--b\r\n\r\nMany parts\r\n--b\r\nContent-Type: a/b\r\n\r\nx\r\n'.repeat(2_000)),
  )
  const deep = Array.from(
    { length: 400 },
    (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
  )
  imap.deliver(email(of('b0'), `${deep.join('')}--b400\r\n\r\nDeep`))
  const html = { ...thread, 'Content-Type': 'text/html' }
  imap.deliver(email(html, '<div>'.repeat(200_000)))
  imap.deliver(email(html, `<p>${'<b>a'.repeat(100_000)}`))
  imap.deliver(email(thread, `${'>'.repeat(500_000)}\r\n${'On 2026: '.repeat(20_000)}\r\n> x`))
  imap.deliver(email(thread, `${'_'.repeat(100_000)}\r\n${`${'a'.repeat(21)}:`.repeat(9_000)}`))
  imap.deliver(email(thread, 'The last one.'))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await receive()
  delay.disable()
  expect(inbound.site.context.jobs.find('contact.receive', '')!.lastError).toBeNull()
  expect(messages(inbound).at(-1)!.text).toBe('The last one.')
  for (const { text } of messages(inbound)) expect(text.length).toBeLessThanOrEqual(10_000)
  // On a busy machine, too: none of them is a loop over all there is.
  expect(delay.max / 1e6).toBeLessThan(1_000)
})

test('a flood of emails that name a ticket ends somewhere, and real answers come through', async () => {
  await using inbound = await startInbound()
  const { imap, reply, receive } = inbound
  for (let n = 0; n < 520; n += 1) {
    imap.deliver(email({ From: `x${n}@example.org`, Subject: '[Ticket: abc123]' }, 'Spam'))
    if (n === 100) await receive()
  }
  imap.deliver(email({ 'In-Reply-To': reply }, 'From Aino.'))
  await receive()
  expect(waiting(inbound)).toHaveLength(500)
  expect(messages(inbound).map(({ text }) => text)).toEqual(['From Aino.'])
})
