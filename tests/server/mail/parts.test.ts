import { expect, test } from 'vitest'
import type { Message } from '#server/mail/message.ts'
import { mailMessage } from '#server/mail/layout.ts'
import { dataTable, factTable } from '#server/mail/tables.ts'
import type { Feature } from '#server/feature.ts'
import { html } from '#server/text/markup.ts'
import { settled } from '../../support/enquiry.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp } from '../../support/smtp.ts'

const ics = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Pitlane//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:b-1@pitlane.example',
  'DTSTAMP:20261120T120000Z',
  'DTSTART;VALUE=DATE:20261201',
  'SUMMARY:Kuvauspäivä',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n')

const invoice = Buffer.from('%PDF-1.7\n\u0000\u00ff not really\n', 'latin1')

/** A feature whose one email carries an invitation and an invoice. */
const feature = (more: Partial<Message>): Feature => ({
  name: 'parts',
  mailTemplates: {
    parts: {
      render: (_mail, brand) => ({
        to: { name: '', address: 'aino@example.com' },
        message: {
          ...mailMessage(brand, { subject: 'Your booking', headline: 'Confirmed' }),
          ...more,
        },
      }),
    },
  },
})

async function send(site: Site) {
  await site.context.commit((tx) => site.context.mails.enqueue(tx, 'parts', { key: 'one' }))
  site.context.outbox.wake()
  await settled(site)
}

const full: Partial<Message> = {
  calendar: { method: 'REQUEST', ics, filename: 'booking.ics' },
  attachments: [{ filename: 'Lasku 1.pdf', contentType: 'application/pdf', content: invoice }],
}

test.each(['by SMTP', 'as a file'])(
  'an invitation and an invoice go along byte by byte, %s',
  async (way) => {
    await using smtp = await startSmtp()
    const env: Record<string, string> = way === 'by SMTP' ? { SMTP_URL: smtp.url } : {}
    await using site = await startSite({ env, features: [() => feature(full)] })
    await send(site)
    const [mail] = way === 'by SMTP' ? smtp.mails : mailFiles(site.dataDir)
    expect(mail!.text).toContain('Confirmed')
    expect(mail!.html).toContain('Confirmed')
    expect(mail!.calendar).toEqual({ method: 'REQUEST', ics })
    expect(mail!.attachments).toMatchObject([
      { type: 'application/pdf', filename: 'Lasku 1.pdf' },
      { type: 'application/ics', filename: 'booking.ics' },
    ])
    expect(mail!.attachments[0]!.bytes.equals(invoice)).toBe(true)
  },
)

test('a template that throws is tried again, and a kind without one as well', async () => {
  let fails = 1
  const shaky: Feature = {
    name: 'shaky',
    mailTemplates: {
      parts: {
        async render(_mail, brand) {
          if (fails-- > 0) throw new Error('no toner')
          const message = mailMessage(brand, { subject: 'At last', headline: 'Here' })
          return { to: { name: '', address: 'aino@example.com' }, message }
        },
      },
    },
  }
  await using site = await startSite({ features: [() => shaky] })
  await send(site)
  expect(site.context.mails.list()).toMatchObject([{ status: 'queued', lastReply: 'no toner' }])
  site.clock.advance(60_000)
  await settled(site)
  expect(mailFiles(site.dataDir)).toMatchObject([{ subject: 'At last' }])
  await site.context.commit((tx) => site.context.mails.enqueue(tx, 'nobody', { key: 'two' }))
  await settled(site)
  expect(site.context.mails.list()[1]).toMatchObject({
    status: 'queued',
    lastReply: 'No email template for nobody.',
  })
})

const brand = {
  name: 'Pitlane & Sons',
  email: null,
  siteUrl: 'https://pitlane.example',
  uidHost: 'localhost',
  imprint: 'Pitlane Oy · Helsinki',
}

test('the plain text has the same words, in order, without markup', () => {
  const { text } = mailMessage(brand, {
    subject: 'Order',
    headline: 'Thank you',
    number: 'Order O-1',
    body: html`<p>Hello,</p>
      <p>this & <b>that</b></p>`,
    next: ['We pack it.', 'You get it.'],
    button: { label: 'See your order', url: 'https://pitlane.example/o?a=1&b=2' },
    details: [
      ['Total', '€12.50'],
      ['Paid', 'by invoice'],
    ],
    more: dataTable(['Piece', 'Price'], [['Print <A3>', '€12.50']], { right: [1] }),
    small: 'Keep this mail.',
  })
  expect(text).toBe(`Pitlane & Sons

Thank you

Order O-1

Hello,

this & that

What happens next

- We pack it.
- You get it.

See your order https://pitlane.example/o?a=1&b=2

Total  €12.50
Paid   by invoice

Piece       Price
Print <A3>  €12.50

Keep this mail.

Pitlane Oy · Helsinki
`)
})

test('a table fits into a line of mail whatever its words are, and a number to copy stays whole', () => {
  const barcode = '437159030000007760001575400000000000000000010016261127'
  const { text } = mailMessage(brand, {
    subject: 'Reminder',
    headline: 'Second payment reminder',
    details: [
      ['Compensation for collection costs', '€40.00'],
      ['IBAN', 'FI37 1590 3000 0007 76'],
      ['Virtual barcode', barcode],
    ],
    more: [
      factTable([
        [
          'No right of withdrawal',
          'Pit Lane in the Rain, behind acrylic, 60 × 90 cm: It is made to your order.',
        ],
      ]),
      dataTable(
        ['Item', 'Quantity', 'VAT', 'Total'],
        [['Pit Lane in the Rain, behind acrylic, 60 × 90 cm', '1', '25.5 %', '€1,000,420.00']],
        { right: [1, 2, 3] },
      ),
    ],
  })
  expect(text.split('\n').filter(({ length }) => length > 76)).toEqual([])
  expect(text).toContain(`
Compensation for  €40.00
collection costs
IBAN              FI37 1590 3000 0007 76
Virtual barcode   ${barcode}

No right of withdrawal  Pit Lane in the Rain, behind acrylic, 60 × 90 cm: It
                        is made to your order.

Item                                      Quantity  VAT     Total
Pit Lane in the Rain, behind acrylic, 60  1         25.5 %  €1,000,420.00
× 90 cm
`)
})

test('values are escaped in markup', () => {
  const bad = '<img src=x onerror=alert(1)>"\'&'
  const { html: markup, text } = mailMessage(
    { ...brand, name: bad, imprint: bad },
    {
      subject: bad,
      preheader: bad,
      headline: bad,
      number: bad,
      next: [bad],
      button: { label: bad, url: `https://pitlane.example/?${bad}` },
      details: [[bad, bad]],
      more: dataTable([bad], [[bad]]),
      small: bad,
    },
  )
  expect(markup).not.toContain('<img')
  expect(text).toContain(bad)
})
