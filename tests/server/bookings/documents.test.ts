import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { legalVersions } from '#shared/legal/legal.ts'
import { book } from '../../support/bookings.ts'
import { season } from '../../support/content-events.ts'
import { contentFiles } from '../../support/content-files.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { startSite, type Site } from '../../support/site.ts'
import { startSmtp, type Smtp } from '../../support/smtp.ts'

/** The text of a PDF in one line; it has to be tagged, with a language and a title. */
async function textOf(bytes: Buffer): Promise<string> {
  const raw = bytes.toString('latin1')
  expect(raw.slice(0, 5)).toBe('%PDF-')
  expect(raw).toContain('/Marked true')
  expect(raw).toContain('/Lang (en)')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text } = await extractText(document, { mergePages: true })
  return text.replaceAll(/\s+/g, ' ')
}

async function fetched(site: Site, path: string) {
  const response = await fetch(site.url + path)
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

const sent = ({ mails }: Smtp, address: string, about: RegExp) =>
  mails.find(({ envelopeTo, subject }) => envelopeTo.includes(address) && about.test(subject))!

const attached = (mail: ReturnType<typeof sent>, filename: string) =>
  mail.attachments.find((each) => each.filename === filename)!.bytes

const lastPart = (url: string) => url.trim().split('/').at(-1)!

test('what was agreed is one document: on page, mail, staff’s page and command line, with the same sums', async () => {
  using files = season(undefined, {
    'booking-rules.json': JSON.stringify({
      deposit: { percent: 40 },
      services: { photography: { capacity: 2 } },
    }),
  })
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url, CONTENT_DIR: files.directory } })
  const { json } = await book(site, {
    from: '2027-01-19',
    to: '2027-01-21',
    start: '09:00',
    end: '17:30',
    phone: '+358 50 1234567',
    company: 'Kaamos Racing Oy',
    country: 'FI',
  })
  const reference = String(json?.reference)
  const token = lastPart(String(json?.url))
  const { actions } = site.context.features.bookings
  const staff = lastPart(actions.staffUrl(actions.find(reference)))
  const own = `/booking/${token}/agreement.pdf`
  // Before there is an agreement there is no document of it.
  expect((await fetched(site, own)).status).toBe(404)
  const early = join(site.dataDir, 'early.pdf')
  await expect(runOn(site, 'bookings', 'agreement', reference, '--out', early)).rejects.toThrow(
    'Nothing has been agreed',
  )

  await site.post(`/api/bookings/by-link/${token}/billing`, {
    street: 'Ratakatu 1',
    postcode: '96100',
    city: 'Rovaniemi',
    country: 'FI',
  })
  await runOn(site, 'bookings', 'offer', reference, '--travel', '240.00', '--discount', '100.00')
  expect((await site.post(`/api/bookings/by-link/${token}/accept`, {})).status).toBe(200)
  await settled(site)

  const file = await fetched(site, own)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(file.headers.get('cache-control')).toContain('no-store')
  expect(file.headers.get('x-robots-tag')).toContain('noindex')
  const text = await textOf(file.bytes)
  for (const said of [
    `Booking agreement ${reference}`,
    'Apex North Media Oy',
    'Business ID',
    'Kaamos Racing Oy Aino Virtanen Ratakatu 1 96100 Rovaniemi Finland',
    '21 January 2027, 09:00–17:30 each day (Helsinki)',
    'Ice track of Rovaniemi',
    '+358 50 1234567',
    'Photography, 3 days',
    'Travel €240.00',
    'Discount −€100.00',
    'Total €2,810.00 €716.55 €3,526.55',
    'A deposit of 40 %, €1,410.62 incl. VAT, is invoiced at confirmation.',
    'free of charge until 14 days before the first day',
    `The terms of service, version ${legalVersions.terms[0].version}, apply.`,
    'Offered by Apex North Media Oy on 20 November 2026',
    'Accepted by Aino Virtanen on 20 November 2026',
  ]) {
    expect(text).toContain(said)
  }
  expect(text).not.toContain('No travel costs')

  const page = (await site.get(`/api/bookings/by-link/${token}`)).json
  expect(page).toMatchObject({
    total: { net: 281_000, vat: 71_655, gross: 352_655 },
    documents: [{ part: 'deposit', total: 141_062 }],
  })
  const mail = sent(smtp, 'aino@example.com', /^Confirmed/)
  expect(mail.text).toContain('€3,526.55')
  expect(mail.text).toContain('€1,410.62')
  expect(await textOf(attached(mail, `booking-${reference}.pdf`))).toBe(text)
  expect(await textOf((await fetched(site, `/booking/staff/${staff}/agreement.pdf`)).bytes)).toBe(
    text,
  )
  const out = join(site.dataDir, 'agreement.pdf')
  expect(await runOn(site, 'bookings', 'agreement', reference, '--out', out)).toContain(
    'written to',
  )
  expect(await textOf(readFileSync(out))).toBe(text)
  // The visitor's link isn't a link of staff, and the other way round.
  expect((await fetched(site, `/booking/${staff}/agreement.pdf`)).status).toBe(404)
  expect((await fetched(site, `/booking/staff/${token}/agreement.pdf`)).status).toBe(404)
  const logged = site.logLines().join('\n')
  for (const secret of [token, staff]) expect(logged).not.toContain(secret)
})

test('confirmed as asked for: no travel is added, and VAT that changes with the billing says so', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { name: 'Jonas Weber', email: 'jonas@example.com' })
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference, '--by-phone')
  const { actions } = site.context.features.bookings
  const read = async () =>
    textOf((await actions.documents.agreement(actions.find(reference))).content as Buffer)
  const before = await read()
  expect(before).toContain('No travel costs are added to this price.')
  expect(before).toContain('Agreed with Jonas Weber by phone and confirmed by Apex North Media Oy')
  expect(before).not.toContain('deposit')
  expect(before).toContain('€1,116.95')
  await site.post(`/api/bookings/by-link/${lastPart(String(json?.url))}/billing`, {
    company: 'Cole Racing LLC',
    street: '1 Speedway',
    postcode: '28027',
    city: 'Concord',
    region: 'NC',
    country: 'US',
  })
  const after = await read()
  expect(after).toContain('Total €890.00 €0.00 €890.00')
  expect(after).toContain('The billing details were completed after that; VAT follows them.')
})

test('the call sheet is a page and a PDF for the crew, attached to their mail, without money', async () => {
  using files = contentFiles({
    'booking-rules.json': {
      services: { photography: { capacity: 2 } },
      crew: [
        { name: 'Aino', services: ['photography'], email: 'crew@example.com', phone: '+358 40 1' },
        { name: 'Elias', services: ['photography'] },
      ],
    },
  })
  await using smtp = await startSmtp()
  await using site = await startSite({ env: { SMTP_URL: smtp.url, CONTENT_DIR: files.dir } })
  const { json } = await book(site, {
    from: '2027-01-20',
    to: '2027-01-22',
    start: '18:00',
    end: '02:00',
    phone: '+358 50 1234567',
    message: 'Ask for Kari at gate 4.',
  })
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'confirm', reference)
  await runOn(site, 'bookings', 'edit', reference, '--note', 'Bring the long lens')
  await runOn(site, 'bookings', 'assign', reference, 'Aino', 'Elias')
  await settled(site)
  const sheet = new URL((await runOn(site, 'bookings', 'sheet', reference)).trim()).pathname
  const text = await textOf((await fetched(site, `${sheet}.pdf`)).bytes)
  for (const said of [
    `Call sheet ${reference}`,
    'Photography',
    'Ice track of Rovaniemi',
    'Wednesday 20 January 2027 18:00–02:00 the next day (Helsinki)',
    'Thursday 21 January 2027 18:00–02:00 the next day (Helsinki)',
    'Aino +358 40 1',
    'Elias',
    '+358 50 1234567',
    'Bring the long lens',
    'Ask for Kari at gate 4.',
  ]) {
    expect(text).toContain(said)
  }
  // The last night begins on the day before the last one.
  expect(text).not.toContain('Friday 22 January 2027 18:00')
  expect(text).not.toMatch(/€|VAT|IBAN|price|deposit/i)
  const page = (await site.get(sheet)).text
  expect(page).toContain('Thursday 21 January 2027')
  expect(page).toContain(`href="${sheet}.pdf"`)
  expect(page).not.toContain('€')
  const mail = sent(smtp, 'crew@example.com', /^You’re on/)
  expect(await textOf(attached(mail, `call-sheet-${reference}.pdf`))).toContain('18:00–02:00')
  expect(`${mail.text} ${mail.html}`).not.toContain('€')
  const out = join(site.dataDir, 'sheet.pdf')
  await runOn(site, 'bookings', 'sheet', reference, '--out', out)
  expect(await textOf(readFileSync(out))).toContain('Bring the long lens')
  expect((await fetched(site, `${sheet}x.pdf`)).status).toBe(404)
  site.clock.advance(Date.parse('2027-03-01T12:00Z') - site.clock())
  expect((await fetched(site, `${sheet}.pdf`)).status).toBe(410)
})
