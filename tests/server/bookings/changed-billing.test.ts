import { expect, test } from 'vitest'
import { book } from '../../support/bookings.ts'
import { settled } from '../../support/enquiry.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { mailFiles } from '../../support/mail-files.ts'
import { startSite, type Site } from '../../support/site.ts'
import { signIn } from '../../support/staff.ts'
import { startVies } from '../../support/vies-double.ts'

const address = { street: 'Ringstr. 1', postcode: '53520', city: 'Nürburg', country: 'DE' }
const company = { company: 'Weber Motorsport GmbH', vatId: 'DE136695976' }

type Shown = {
  lines: { rate: number; gross: number }[]
  agreement: { lines: { rate: number; gross: number }[]; billing: object }
  documents: { order: string; part: string; total: number; state: string }[]
}

/** A confirmed day of photography for €890 and VAT, and what is done with it. */
async function confirmed(site: Site) {
  const { json } = await book(site, {
    name: 'Jonas Weber',
    email: 'jonas@example.de',
    country: 'DE',
  })
  const reference = String(json?.reference)
  const token = String(json?.url).split('/').at(-1)
  const cli = (verb: string, ...args: string[]) => runOn(site, 'bookings', verb, reference, ...args)
  await cli('confirm')
  site.clock.advance(11 * 60_000)
  return {
    cli,
    reference,
    view: async () =>
      (await site.get(`/api/bookings/by-link/${token}`)).json as { vatProblem: string | null },
    post: (act: string, body: object = {}) =>
      site.post(`/api/bookings/by-link/${token}/${act}`, body),
    shown: async () => JSON.parse(await cli('show', '--json')) as Shown,
  }
}

test('a VAT ID that comes after the deposit takes VAT off the rest, and off no net price', async () => {
  await using vies = await startVies()
  await using site = await startSite({ env: vies.env })
  const { cli, post, shown } = await confirmed(site)
  await post('billing', address)
  // 30 % of €1,116.95, which are €267.00 and VAT.
  expect(await cli('invoice', '--send', '--deposit', '30')).toContain('over €335.09')
  site.clock.advance(60_000)
  await post('billing', company)
  const { lines, agreement } = await shown()
  expect(lines).toMatchObject([{ rate: 0, gross: 89_000 }])
  // What was agreed on and what is asked for are one price.
  expect(agreement.lines).toEqual(lines)
  expect(agreement.billing).toMatchObject({ ...company, ...address })
  // €890.00 less the net amount of the deposit.
  expect(await cli('invoice', '--send')).toContain('over €623.00')
  await expect(cli('invoice')).rejects.toThrow('is already fully invoiced')
  expect((await shown()).documents.map(({ part, total }) => [part, total])).toEqual([
    ['deposit', 33_509],
    ['rest', 62_300],
  ])
})

test('the address of a company in Northern Ireland puts no VAT on its services', async () => {
  await using site = await startSite({ sending: false })
  const { post, shown } = await confirmed(site)
  await post('billing', { company: 'Ulster Rally Ltd', country: 'GB' })
  expect((await shown()).lines).toMatchObject([{ rate: 0, gross: 89_000 }])
  await post('billing', { street: 'High Street 1', postcode: 'BT1 5GS', city: 'Belfast' })
  expect((await shown()).lines).toMatchObject([{ rate: 0, gross: 89_000 }])
})

test('a fee that waited for an address has the VAT of who pays it', async () => {
  await using vies = await startVies()
  await using site = await startSite({ env: vies.env })
  const { cli, post, shown } = await confirmed(site)
  site.clock.advance(Date.UTC(2027, 0, 12, 10) - site.clock())
  await cli('cancel', '--because', 'customer')
  await settled(site)
  const cancelled = mailFiles(site.dataDir).findLast(({ subject }) =>
    subject.startsWith('Cancelled'),
  )
  // It was the customer's wish, and something is due: the email says neither otherwise.
  expect(cancelled!.text).toContain('As agreed with you')
  expect(cancelled!.text).not.toMatch(/had to cancel|won’t be charged/)
  expect(cancelled!.text).toContain('€445 + VAT (€558.48 incl. VAT)')
  expect((await shown()).documents).toEqual([])
  await post('billing', { ...company, ...address })
  // Half of €890, and no more: its VAT is the company's own.
  expect((await shown()).documents).toMatchObject([{ part: 'fee', total: 44_500 }])
})

test('an address is asked for by the whole price, so no paid deposit leaves a fee without one', async () => {
  await using site = await startSite({ sending: false })
  const { cli, post, shown } = await confirmed(site)
  // A deposit of €335.09 alone could do without.
  await expect(cli('invoice', '--send', '--deposit', '30')).rejects.toThrow('street')
  await post('billing', address)
  await cli('invoice', '--send', '--deposit', '30')
  const [{ order }] = (await shown()).documents as unknown as [{ order: string }]
  await runOn(site, 'orders', 'paid', order)
  site.clock.advance(Date.UTC(2027, 0, 12, 10) - site.clock())
  await cli('cancel', '--because', 'customer')
  const { actions, documents } = site.context.features.orders
  const fee = actions.orders.ofBooking(
    ((await shown()) as unknown as { reference: string }).reference,
  )
  const invoice = actions.invoiceOf(fee[0]!)!
  const { document } = invoice
  const page = String((await documents.write(invoice, fee[0]!, 'html')).content)
  expect(document).toMatchObject({ total: 55_848, covered: 33_509, paid: false })
  expect(document.buyer.address.join()).toContain('Nürburg')
  // What is left is what document and barcode ask for.
  expect(document.barcode).toContain('00022339')
  expect(page).toMatch(/Paid before<\/dt>\s*<dd>€335\.09/)
  expect(page).toMatch(/Amount<\/dt>\s*<dd>€223\.39/)
})

test('a VAT ID that can’t be one of its country is refused where it is typed, and other taxes’ numbers aren’t', async () => {
  await using site = await startSite()
  const { cli, shown } = await confirmed(site)
  const edit = (vatId: string) => cli('edit', '--company', company.company, '--vat-id', vatId)
  await expect(edit('DE12')).rejects.toThrow('That isn’t a VAT number of this country')
  await edit(company.vatId)
  expect((await shown()).agreement.billing).toMatchObject({ vatId: company.vatId })

  const asked = async (changes: object) => {
    const other = { from: '2027-02-10', to: '2027-02-10', company: 'Rata Oy' }
    const { status, json } = await book(site, { ...other, ...changes })
    return [status, (json as { errors?: object }).errors ?? null]
  }
  const digits = { vatId: 'The check digits of this VAT number are wrong' }
  expect(await asked({ country: 'FI', vatId: 'FI123' })).toEqual([
    400,
    { vatId: 'That isn’t a VAT number of this country' },
  ])
  expect(await asked({ country: 'FI', vatId: 'FI01120388' })).toEqual([400, digits])
  expect(await asked({ country: 'SE', vatId: 'DE136695976' })).toEqual([
    400,
    { vatId: 'That VAT number doesn’t match the country' },
  ])
  expect(await asked({ country: 'FI', vatId: 'FI 0112038-9' })).toEqual([201, null])
  // Outside the Union it’s the company’s own number, for its bookkeeper.
  expect(await asked({ country: 'GB', vatId: 'GB123456789' })).toEqual([201, null])
})

test('a VAT ID that VIES rejects, or says nothing of, is told on the page and at the desk, and makes nobody a company', async () => {
  await using vies = await startVies()
  await using site = await startSite({ env: vies.env, sending: false })
  const { headers } = await signIn(site, ['desk'])
  const { cli, post, shown, view, reference } = await confirmed(site)
  const orderOf = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await runOn(site, 'orders', 'show', await newestOrder(), '--json'))
  const newestOrder = async () => (await shown()).documents.at(-1)!.order
  const desk = async () => {
    const { json } = await site.get(`/api/desk/things/bookings/${reference}`, { headers })
    const { facts } = json as { facts: { name: string; text: string }[] }
    return facts.find(({ name }) => name === 'VIES')?.text
  }
  vies.answer = 'down'
  await post('billing', { ...company, ...address })
  expect((await view()).vatProblem).toContain('didn’t respond, so VAT is charged')
  expect(await desk()).toContain('Saving the billing details again')
  // Who works on the command line reads the same.
  expect(await cli('show')).toMatch(/^VIES: Didn’t respond/m)
  site.clock.advance(60_000)
  vies.answer = 'no'
  await post('billing', { ...company, ...address })
  expect((await view()).vatProblem).toContain('doesn’t list this number, so VAT is charged')
  expect((await shown()).lines).toMatchObject([{ rate: 25.5 }])
  expect(await desk()).toContain('Doesn’t list it')
  await cli('invoice', '--send', '--deposit', '30')
  expect(await orderOf()).toMatchObject({ vatId: null, vatCheck: { state: 'no' } })

  site.clock.advance(3_700_000)
  vies.answer = 'yes'
  await post('billing', { ...company, ...address })
  expect((await view()).vatProblem).toBeNull()
  expect(await desk()).toContain('consultation')
  await cli('invoice', '--send')
  // The number of the consultation proves to the tax office that it was asked.
  expect(await orderOf()).toMatchObject({
    vatId: company.vatId,
    reverseCharge: true,
    vatCheck: { state: 'yes', consultation: expect.any(String) },
  })
})

test('a company that VIES has confirmed pays no VAT because VIES is away when its address comes, or an offer', async () => {
  await using vies = await startVies()
  await using site = await startSite({ env: vies.env, sending: false })
  const { json } = await book(site, { ...company, country: 'DE', email: 'jonas@example.de' })
  const reference = String(json?.reference)
  const token = String(json?.url).split('/').at(-1)
  const post = (entries: object) => site.post(`/api/bookings/by-link/${token}/billing`, entries)
  const cli = (verb: string, ...args: string[]) => runOn(site, 'bookings', verb, reference, ...args)
  const rates = async () =>
    (JSON.parse(await cli('show', '--json')) as Shown).lines.map(({ rate }) => rate)
  expect(await rates()).toEqual([0])
  site.clock.advance(3_700_000)
  vies.answer = 'down'
  await post(address)
  expect(await rates()).toEqual([0])
  site.clock.advance(60_000)
  await cli('offer', '--line', 'Work=1000.00')
  expect(await rates()).toEqual([0])
  // Of another number it has said nothing yet.
  site.clock.advance(60_000)
  await post({ vatId: 'DE129274202' })
  expect(await rates()).toEqual([25.5])
  site.clock.advance(3_700_000)
  vies.answer = 'yes'
  await post(company)
  expect(await rates()).toEqual([0])
  site.clock.advance(3_700_000)
  vies.answer = 'no'
  await post(address)
  expect(await rates()).toEqual([25.5])
})
