import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeQR } from 'qr/decode.js'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { documentSchema, type InvoiceDocument } from '#server/orders/documents/invoice-document.ts'
import { finvoice } from '#server/orders/documents/e-invoices/finvoice.ts'
import { lineAmounts, netUnitPrice } from '#server/orders/documents/line-amounts.ts'
import { paymentCode, paymentCodeText } from '#server/orders/documents/pdf/payment-qr.ts'
import { ublInvoice } from '#server/orders/documents/e-invoices/ubl.ts'
import { vatTable } from '#shared/money.ts'
import { book } from '../../support/bookings.ts'
import { runOn } from '../../support/in-process-cli.ts'
import { orderByInvoice } from '../../support/shop.ts'
import { startSite, type Site } from '../../support/site.ts'

/** The sequences of the Finvoice 3.0 schema, as far as documents of ours can have their elements. */
const finvoiceOrder: Readonly<Record<string, string>> = {
  Finvoice:
    'MessageTransmissionDetails SellerPartyDetails SellerOrganisationUnitNumber SellerContactPersonName SellerCommunicationDetails SellerInformationDetails BuyerPartyDetails BuyerOrganisationUnitNumber BuyerContactPersonName BuyerCommunicationDetails DeliveryPartyDetails DeliveryDetails InvoiceDetails PaymentCardInfo DirectDebitInfo PaymentStatusDetails PartialPaymentDetails FactoringAgreementDetails VirtualBankBarcode InvoiceRow SpecificationDetails EpiDetails InvoiceUrlNameText InvoiceUrlText',
  SellerPartyDetails:
    'SellerPartyIdentifier SellerOrganisationName SellerOrganisationTradingName SellerOrganisationTaxCode SellerPostalAddressDetails',
  SellerPostalAddressDetails:
    'SellerStreetName SellerTownName SellerPostCodeIdentifier SellerCountrySubdivision CountryCode',
  SellerAccountDetails: 'SellerAccountID SellerBic',
  BuyerPartyDetails:
    'BuyerPartyIdentifier BuyerOrganisationName BuyerOrganisationTradingName BuyerOrganisationTaxCode BuyerPostalAddressDetails',
  BuyerPostalAddressDetails:
    'BuyerStreetName BuyerTownName BuyerPostCodeIdentifier BuyerCountrySubdivision CountryCode',
  DeliveryDetails: 'DeliveryDate DeliveryPeriodDetails',
  InvoiceDetails:
    'InvoiceTypeCode InvoiceTypeCodeUN InvoiceTypeText OriginCode InvoiceNumber InvoiceDate OriginalInvoiceNumber OriginalInvoiceDate InvoicingPeriodStartDate InvoicingPeriodEndDate SellerReferenceIdentifier OrderIdentifier RowsTotalVatExcludedAmount DiscountsTotalVatExcludedAmount ChargesTotalVatExcludedAmount InvoiceTotalVatExcludedAmount InvoiceTotalVatAmount InvoiceTotalVatIncludedAmount InvoiceTotalRoundoffAmount InvoicePaidAmount VatSpecificationDetails InvoiceFreeText PaymentTermsDetails',
  VatSpecificationDetails: 'VatBaseAmount VatRatePercent VatCode VatRateAmount VatFreeText',
  InvoiceRow:
    'ArticleIdentifier ArticleName ArticleDescription InvoicedQuantity StartDate EndDate UnitPriceAmount RowPositionIdentifier OriginalInvoiceNumber RowFreeText RowVatRatePercent RowVatCode RowVatAmount RowVatExcludedAmount RowAmount',
  EpiDetails: 'EpiIdentificationDetails EpiPartyDetails EpiPaymentInstructionDetails',
  EpiIdentificationDetails: 'EpiDate EpiReference',
  EpiPartyDetails: 'EpiBfiPartyDetails EpiBeneficiaryPartyDetails',
  EpiBeneficiaryPartyDetails: 'EpiNameAddressDetails EpiAccountID',
  EpiPaymentInstructionDetails:
    'EpiRemittanceInfoIdentifier EpiInstructedAmount EpiCharge EpiDateOptionDate EpiPaymentMeansCode',
}

/** The sequences of UBL 2.1, as far as documents of ours can have their elements. */
const ublOrder: Readonly<Record<string, string>> = {
  Invoice:
    'CustomizationID ProfileID ID IssueDate DueDate InvoiceTypeCode Note DocumentCurrencyCode InvoicePeriod OrderReference BillingReference AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms TaxTotal LegalMonetaryTotal InvoiceLine',
  CreditNote:
    'CustomizationID ProfileID ID IssueDate CreditNoteTypeCode Note DocumentCurrencyCode InvoicePeriod OrderReference BillingReference AccountingSupplierParty AccountingCustomerParty Delivery PaymentMeans PaymentTerms TaxTotal LegalMonetaryTotal CreditNoteLine',
  Party: 'EndpointID PostalAddress PartyTaxScheme PartyLegalEntity Contact',
  PostalAddress: 'StreetName AdditionalStreetName CityName PostalZone CountrySubentity Country',
  TaxSubtotal: 'TaxableAmount TaxAmount TaxCategory',
  TaxCategory: 'ID Percent TaxExemptionReasonCode TaxExemptionReason TaxScheme',
  LegalMonetaryTotal:
    'LineExtensionAmount TaxExclusiveAmount TaxInclusiveAmount PrepaidAmount PayableAmount',
  InvoiceLine: 'ID Note InvoicedQuantity LineExtensionAmount Item Price',
  CreditNoteLine: 'ID Note CreditedQuantity LineExtensionAmount Item Price',
  Price: 'PriceAmount BaseQuantity',
}

type Node = { readonly [name: string]: readonly Node[] | string | undefined }

/** Checks that the children of every element are in the sequence of its schema. */
function expectSequence(xml: string, sequences: Readonly<Record<string, string>>): void {
  expect(XMLValidator.validate(xml)).toBe(true)
  const parser = new XMLParser({
    preserveOrder: true,
    parseTagValue: false,
    removeNSPrefix: true,
    ignoreAttributes: true,
  })
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      for (const [name, children] of Object.entries(node)) {
        if (typeof children === 'string' || children === undefined) continue
        const sequence = sequences[name]?.split(' ')
        if (sequence) {
          const found = children
            .flatMap((child) => Object.keys(child))
            .filter((key) => key !== ':@')
          const places = found.map((each) => sequence.indexOf(each))
          expect([name, found.filter((_, at) => places[at] === -1)]).toEqual([name, []])
          expect([name, places]).toEqual([name, places.toSorted((a, b) => a - b)])
        }
        walk(children)
      }
    }
  }
  walk(parser.parse(xml) as readonly Node[])
}

/** Every text of an element, in the order of the document. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)</`, 'g'))].map(
    ([, text]) => text!,
  )
const centsOf = (text: string) => Math.round(Number(text.replace(',', '.')) * 100)
const total = (xml: string, name: string) =>
  textsOf(xml, name).reduce((sum, text) => sum + centsOf(text), 0)

const looks = ['northern-light-colour-looks', 'single', 3] as const
const print = ['blue-hour-fine-art-print', '30x40-matte', 2] as const

/** Writes a document of an order by the command line. */
async function written(site: Site, order: string, ...told: string[]): Promise<Buffer> {
  const file = join(site.dataDir, 'document')
  await runOn(site, 'orders', 'documents', order, '--out', file, ...told)
  return readFileSync(file)
}

test('lines without VAT make the VAT table to the cent, whatever the lines', () => {
  const line = record({
    unit: integer({ min: 1, max: 90_000 }),
    quantity: integer({ min: 1, max: 20 }),
    rate: constantFrom(25.5, 13.5, 10, 0, 19),
    // What takes off is a line of its own, whatever is left.
    takes: constantFrom(1, 1, 1, -1),
  })
  assert(
    property(array(line, { minLength: 1, maxLength: 12 }), constantFrom(1, -1), (given, sign) => {
      const lines = given.map(({ unit, quantity, rate, takes }) => ({
        ...bare,
        rate,
        unit: takes * unit,
        quantity: sign * quantity,
        total: sign * takes * unit * quantity,
      }))
      const vat = vatTable(lines.map((each) => ({ gross: each.total, rate: each.rate })))
      const amounts = lineAmounts({ lines, vat })
      for (const row of vat) {
        const own = amounts.filter((_, at) => lines[at]!.rate === row.rate)
        expect(own.reduce((sum, { net }) => sum + net, 0)).toBe(row.net)
        expect(own.reduce((sum, each) => sum + each.vat, 0)).toBe(row.vat)
      }
      for (const [at, { net, vat: tax }] of amounts.entries()) {
        expect(net + tax).toBe(lines[at]!.total)
        // Its own share, rounded, and a cent at most of what rounding has left.
        expect(Math.abs(net - lines[at]!.total / (1 + lines[at]!.rate / 100))).toBeLessThan(1.51)
      }
    }),
  )
})

const bare: Omit<InvoiceDocument['lines'][number], 'quantity' | 'unit' | 'total' | 'rate'> = {
  title: 'Print',
  line: null,
  isReduction: false,
  discount: 0,
  note: null,
  kind: 'physical',
  ground: 'domestic',
  taxCountry: 'FI',
  reason: 'Finnish VAT',
}

test('a price without VAT has the decimals that it needs', () => {
  expect(netUnitPrice(14183, 2)).toBe('70.9150')
  expect(netUnitPrice(14184, 2)).toBe('70.92')
  expect(netUnitPrice(-14183, -2, 5)).toBe('70.91500')
  expect(netUnitPrice(1, 3)).toBe('0.0033')
  expect(netUnitPrice(0, 1)).toBe('0.00')
})

test('the payment code says what a bank’s app needs, line by line', () => {
  const transfer = { name: 'Äijö Racing Oy', iban: 'FI37 1590 3000 0007 76', bic: 'NDEAFIHH' }
  expect(paymentCodeText({ ...transfer, cents: 123456, rf: 'RF9811112' })).toBe(
    'BCD\n002\n1\nSCT\nNDEAFIHH\nÄijö Racing Oy\nFI3715903000000776\nEUR1234.56\n\nRF9811112',
  )
  expect(paymentCodeText({ ...transfer, bic: null, cents: 1, rf: 'RF9811112' })).toContain(
    'SCT\n\nÄijö',
  )
  expect(paymentCodeText({ ...transfer, cents: 0, rf: 'RF9811112' })).toBeNull()
})

test('the code on a page is read back by a scanner as it was written', () => {
  const paid = { paid: false, total: 123456, covered: 0, rf: 'RF9811112' }
  const seller = { name: 'Äijö Racing Oy', iban: 'FI3715903000000776', bic: null }
  const { size, runs } = paymentCode({ ...paid, seller })!
  const scale = 4
  const side = size * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const { x, y, length } of runs) {
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let at = x * scale; at < (x + length) * scale; at += 1) {
        data.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3)
      }
    }
  }
  expect(decodeQR({ width: side, height: side, data })).toBe(
    'BCD\n002\n1\nSCT\n\nÄijö Racing Oy\nFI3715903000000776\nEUR1234.56\n\nRF9811112',
  )
  expect(paymentCode({ ...paid, paid: true, seller })).toBeNull()
  expect(paymentCode({ ...paid, seller: { ...seller, iban: null } })).toBeNull()
})

test('a credit note for what was never sent has no day of supply, and promises no dispatch', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [print])
  await runOn(site, 'orders', 'cancel', order)
  const note = String(await written(site, order, '--number', '1002', '--format', 'html'))
  expect(note).toContain('Credit note 1002')
  expect(note).not.toMatch(/Date of supply|on dispatch/)
})

test('an invoice says its prices without VAT, and its day of supply once it was sent', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [print, looks])
  const html = async () => String(await written(site, order, '--format', 'html'))
  expect(await html()).toContain('<dd>on dispatch</dd>')
  expect(await html()).toContain('SEPA payment code to scan')
  expect(await html()).toMatch(/<td class="unit">€70\.9[12]\d*<\/td>/)
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order)
  expect(await html()).toMatch(/Date of supply<\/dt>\s*<dd>20 November 2026<\/dd>/)
  const pdf = new Uint8Array(await written(site, order))
  const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true })
  expect(text).toContain('Date of supply: 20 November 2026')
  expect(text).toContain('Unit, net')
  expect(text).toContain('Scan with your bank’s app')
  expect(await runOn(site, 'orders', 'documents', order)).toContain('1001')
  await expect(
    runOn(site, 'orders', 'documents', order, '--number', '4711', '--out', 'x'),
  ).rejects.toThrow('no document 4711')
})

test('a company gives its whole address, and so does everybody above €400', async () => {
  await using site = await startSite({ sending: false })
  const none = { street: undefined, postcode: undefined, city: undefined }
  await expect(orderByInvoice(site, [looks], { ...none, company: 'Ring Oy' })).rejects.toThrow(
    '400',
  )
  expect((await orderByInvoice(site, [looks], none)).order).toBeTruthy()
  const many = ['northern-light-colour-looks', 'studio', 5] as const
  await expect(orderByInvoice(site, [many], none)).rejects.toThrow('400')
})

test('Finvoice and UBL of an invoice and its credit note keep the sequence of their schemas and the same sums', async () => {
  await using site = await startSite({ sending: false })
  const placed = await orderByInvoice(site, [print, looks], {
    company: 'Äijö & <Racing> Oy\u0007',
    vatId: 'FI01120389',
    digitalWaiver: true,
  })
  await runOn(
    site,
    'orders',
    'credit',
    placed.order,
    '--line',
    '1x1',
    '--reason',
    'one "came" <bent>',
  )
  const { actions } = site.context.features.orders
  const { id } = actions.ofNumber(placed.order)!
  for (const document of actions.invoices.ofOrder(id).map((each) => each.document)) {
    const sign = document.kind === 'credit' ? -1 : 1
    const number = String(document.number)
    const fin = String(
      await written(site, placed.order, '--number', number, '--format', 'finvoice'),
    )
    expectSequence(fin, finvoiceOrder)
    expect(fin).toContain('Äijö &amp; &lt;Racing&gt; Oy')
    expect(total(fin, 'InvoiceTotalVatIncludedAmount')).toBe(document.total)
    expect(total(fin, 'RowVatExcludedAmount')).toBe(total(fin, 'InvoiceTotalVatExcludedAmount'))
    expect(total(fin, 'RowVatAmount')).toBe(total(fin, 'InvoiceTotalVatAmount'))
    expect(total(fin, 'VatBaseAmount') + total(fin, 'VatRateAmount')).toBe(document.total)
    const ubl = String(await written(site, placed.order, '--number', number, '--format', 'ubl'))
    expectSequence(ubl, ublOrder)
    expect(ubl).toContain(document.kind === 'credit' ? '<CreditNote' : '<Invoice')
    expect(total(ubl, 'TaxInclusiveAmount')).toBe(sign * document.total)
    const nets = document.vat.reduce((sum, row) => sum + row.net, 0)
    expect(total(ubl, 'TaxExclusiveAmount')).toBe(sign * nets)
    expect(total(ubl, 'TaxableAmount')).toBe(sign * nets)
    // Of the document, and of each of its lines.
    expect(total(ubl, 'LineExtensionAmount')).toBe(2 * sign * nets)
  }
})

test('a discount that is a line of a booking takes off what was agreed in every document, and other lines keep their prices', async () => {
  await using site = await startSite({ sending: false })
  const { json } = await book(site, { to: '2027-01-22', company: 'Ring Oy', country: 'FI' })
  const reference = String(json?.reference)
  await runOn(site, 'bookings', 'offer', reference, '--travel', '240.00', '--discount', '100.00')
  await runOn(site, 'bookings', 'confirm', reference, '--by-phone')
  const address = '--street Tie --postcode 00100 --city Kemi'.split(' ')
  await runOn(site, 'bookings', 'edit', reference, ...address)
  await runOn(site, 'bookings', 'invoice', reference, '--send')
  await runOn(site, 'bookings', 'cancel', reference)
  const { invoices } = site.context.features.orders.actions
  for (const [number, sign] of [
    [1001, 1],
    [1002, -1],
  ] as const) {
    const { document } = invoices.find(number)!
    expect(lineAmounts(document).map(({ net }) => sign * net)).toEqual([267_000, 24_000, -10_000])
    const files = ['--number', String(number), '--format'] as const
    const fin = String(await written(site, document.order, ...files, 'finvoice'))
    expect(textsOf(fin, 'RowVatExcludedAmount').at(-1)).toBe(sign > 0 ? '-100,00' : '100,00')
    expect(textsOf(fin, 'UnitPriceAmount')).toEqual(['2670,00', '240,00', '-100,00'])
    const ubl = String(await written(site, document.order, ...files, 'ubl'))
    expect(textsOf(ubl, 'PriceAmount')).toEqual(['2670.00', '240.00', '100.00'])
    expect(textsOf(ubl, sign > 0 ? 'InvoicedQuantity' : 'CreditedQuantity').at(-1)).toBe('-1')
    expect(textsOf(ubl, 'LineExtensionAmount').at(-1)).toBe('-100.00')
    const html = String(await written(site, document.order, ...files, 'html'))
    expect(html).toContain('<td class="unit">−€100.00</td>')
    const pdf = new Uint8Array(await written(site, document.order, ...files, 'pdf'))
    const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true })
    expect(text).toContain('−€100.00')
  }
})

test('second line and state of an address are in the documents for programs, too', async () => {
  await using site = await startSite({ sending: false })
  const { order } = await orderByInvoice(site, [print])
  const { actions } = site.context.features.orders
  const [first] = actions.invoices.ofOrder(actions.ofNumber(order)!.id)
  const issued = first!.document
  const buyer = { ...issued.buyer, street2: 'Building 4', region: 'IN', country: 'US' }
  const ubl = await ublInvoice({ ...issued, buyer }, 'aino@example.com')
  expectSequence(ubl, ublOrder)
  expect(textsOf(ubl, 'AdditionalStreetName')).toEqual(['Building 4'])
  expect(textsOf(ubl, 'CountrySubentity')).toEqual(['IN'])
  const fin = finvoice({ ...issued, buyer })
  expectSequence(fin, finvoiceOrder)
  expect(textsOf(fin, 'BuyerStreetName')).toEqual(['Mannerheimintie 1 A 2', 'Building 4'])
  expect(textsOf(fin, 'BuyerCountrySubdivision')).toEqual(['IN'])
  // An order keeps both, and its invoice is made of them.
  const { order: second } = await orderByInvoice(site, [print], { street2: 'Building 4' })
  const [kept] = actions.invoices.ofOrder(actions.ofNumber(second)!.id)
  expect(kept!.document.buyer).toMatchObject({ street2: 'Building 4', region: null })
})

/** What EN 16931 says of a line, by its ground. */
const grounds = [
  ['domestic', 25.5, 'S'],
  ['oss', 19, 'S'],
  ['intra-community', 0, 'K'],
  ['reverse-charge', 0, 'AE'],
  ['export', 0, 'G'],
  ['aland', 0, 'G'],
  ['outside-eu', 0, 'O'],
] as const

test.each(grounds)(
  'the ground %s at %d per cent is category %s',
  async (ground, rate, category) => {
    const site = await startSite({ sending: false })
    const { order } = await orderByInvoice(site, [print])
    const { actions } = site.context.features.orders
    const [issued] = actions.invoices.ofOrder(actions.ofNumber(order)!.id)
    await site[Symbol.asyncDispose]()
    const line = { ...issued!.document.lines[0]!, ground, rate, reason: `Because of ${ground}` }
    const document: InvoiceDocument = {
      ...issued!.document,
      lines: [line],
      total: line.total,
      vat: vatTable([{ gross: line.total, rate }]),
    }
    const ubl = await ublInvoice(document, 'aino@example.com')
    expectSequence(ubl, ublOrder)
    const categories = [...ubl.matchAll(/<cac:(?:Classified)?TaxCategory>\s*<cbc:ID>(\w+)</g)]
    expect(categories.map(([, code]) => code)).toEqual([category, category])
    expect(textsOf(ubl, 'Percent').length).toBe(category === 'O' ? 0 : 2)
    if (category !== 'S') expect(ubl).toContain(`Because of ${ground}`)
    const fin = finvoice(document)
    expectSequence(fin, finvoiceOrder)
    expect(textsOf(fin, 'RowVatCode')).toEqual([category])
  },
)

test('documents of earlier versions can still be read and written', async () => {
  const old = documentSchema.parse({
    kind: 'invoice',
    number: 1001,
    refersTo: null,
    order: 'A-OLD',
    issuedOn: '2025-01-02',
    suppliedOn: '2025-01-02',
    dueOn: '2025-01-16',
    paid: false,
    seller: {
      name: 'Apex Oy',
      address: ['Road 1', '00100 Helsinki'],
      businessId: '9284716-0',
      vatId: 'FI92847160',
      email: 'hello@apex.example',
      phone: null,
      iban: 'FI3715903000000776',
      bic: null,
    },
    buyer: { name: 'Aino', company: null, address: ['Road 2'], vatId: null },
    lines: [{ title: 'Print', quantity: 1, unit: 8900, total: 8900, rate: 25.5 }],
    vat: vatTable([{ gross: 8900, rate: 25.5 }]),
    total: 8900,
    reference: '10016',
    rf: 'RF1510016',
    barcode: null,
    exemption: null,
  })
  expectSequence(finvoice(old), finvoiceOrder)
  expectSequence(await ublInvoice(old, 'aino@example.com'), ublOrder)
})

test('the buyer’s page has the invoice for programs, too, and nobody else’s has', async () => {
  await using site = await startSite({ sending: false })
  const { token } = await orderByInvoice(site, [print])
  for (const format of ['finvoice', 'ubl']) {
    const { status, headers, text } = await site.get(`/shop/orders/${token}/invoice.${format}.xml`)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    expect(text).toContain('1001')
    expect((await site.get(`/shop/orders/${token}x/invoice.${format}.xml`)).status).toBe(404)
  }
  site.clock.advance(25 * 3_600_000)
  expect((await site.get(`/shop/orders/${token}/invoice.ubl.xml`)).status).toBe(404)
})
