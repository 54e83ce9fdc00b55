import type { Invoice as UblInvoice } from '@e-invoice-eu/core'
import * as z from 'zod/mini'
import { failure } from '#shared/failures.ts'
import { decimal, sum } from '#shared/money.ts'
import {
  discountText,
  type InvoiceDocument,
  type PrintedAddress,
  type Seller,
} from '../invoice-document.ts'
import { xmlText } from '../printed-line.ts'
import { taxedLines, taxGroups, type TaxedLine, type VatCategory } from '../tax-groups.ts'

type Ubl = UblInvoice['ubl:Invoice']
type Country = Ubl['cac:AccountingSupplierParty']['cac:Party']['cac:PostalAddress']['cac:Country']
type CountryCode = Country['cbc:IdentificationCode']
type Line = Ubl['cac:InvoiceLine'][number]

/** The library has the list of codes, and refuses others when it checks the whole. */
const countryCode = z.custom<CountryCode>((value) => /^[A-Z]{2}$/.test(value))

/** The codes for why no VAT is charged (CEF VATEX). */
const exemptionCodes: Readonly<Partial<Record<VatCategory, string>>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
}

const vatScheme = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } } as const
const currency = 'EUR' as const

/**
 * Writes an invoice or credit note as EN 16931 in UBL 2.1, by `@e-invoice-eu/core`, which checks it
 * against the model before it writes.
 * @param buyerEmail the buyer's electronic address
 * @returns XML, UTF-8
 * @throws wrong-state as {@link electronicSeller}
 */
export async function ublInvoice(document: InvoiceDocument, buyerEmail: string): Promise<string> {
  // Loaded with the first one: it takes a second and 60 MB.
  const { InvoiceService } = await import('@e-invoice-eu/core')
  const silent = { log() {}, warn() {}, error() {} }
  const written = await new InvoiceService(silent).generate(
    { 'ubl:Invoice': partsOf(document, buyerEmail) },
    { format: 'UBL', lang: 'en', noWarnings: true },
  )
  return typeof written === 'string' ? written : Buffer.from(written).toString('utf8')
}

/**
 * What the standard demands of the seller.
 * @throws wrong-state where the settings lack it
 */
export function electronicSeller({ vatId, email }: Seller): { vatId: string; email: string } {
  if (vatId !== null && email !== null) return { vatId, email }
  throw failure('wrong-state', {
    message:
      'An electronic invoice needs the seller’s VAT number and email: enter “vat_id” and “email” in the settings.',
  })
}

function partsOf(document: InvoiceDocument, buyerEmail: string): Ubl {
  const { kind, number, issuedOn, dueOn, order, refersTo, remark, seller, paid, covered } = document
  const { vatId: sellerVatId, email: sellerEmail } = electronicSeller(seller)
  const isCredit = kind === 'credit'
  // A credit note has positive amounts that count the other way.
  const cents = (amount: number) => decimal(isCredit && amount !== 0 ? -amount : amount)
  const groups = taxGroups(document)
  const net = sum(groups.map((group) => group.net))
  const vat = sum(groups.map((group) => group.vat))
  const prepaid = isCredit ? 0 : paid ? net + vat : covered
  const isOutside = groups.some(({ category }) => category === 'O')
  const isWithinUnion = groups.some(({ category }) => category === 'K')
  const [first, ...others] = taxedLines(document).map((line, at) => lineOf(line, at, document))
  return {
    'cbc:ID': String(number),
    'cbc:IssueDate': issuedOn,
    ...(dueOn !== null && { 'cbc:DueDate': dueOn }),
    'cbc:InvoiceTypeCode': isCredit ? '381' : '380',
    ...(remark !== null && { 'cbc:Note': [xmlText(remark)] }),
    'cbc:DocumentCurrencyCode': currency,
    ...periodOf(document, isWithinUnion),
    'cac:OrderReference': { 'cbc:SalesOrderID': order },
    ...(refersTo !== null && {
      'cac:BillingReference': [{ 'cac:InvoiceDocumentReference': { 'cbc:ID': String(refersTo) } }],
    }),
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        'cbc:EndpointID': sellerEmail,
        'cbc:EndpointID@schemeID': 'EM',
        'cac:PostalAddress': addressOf({ ...seller, country: 'FI' }),
        // Outside the scope of VAT there are no VAT numbers (BR-O-02).
        ...(!isOutside && {
          'cac:PartyTaxScheme': [{ 'cbc:CompanyID': sellerVatId, ...vatScheme }],
        }),
        'cac:PartyLegalEntity': {
          'cbc:RegistrationName': seller.name,
          ...(seller.businessId !== null && {
            'cbc:CompanyID': seller.businessId,
            // Business ID of the Finnish Patent and Registration Office and Tax Administration.
            'cbc:CompanyID@schemeID': '0212' as const,
          }),
        },
      },
    },
    'cac:AccountingCustomerParty': { 'cac:Party': buyerOf(document, { buyerEmail, isOutside }) },
    ...deliveryOf(document, isWithinUnion),
    ...(!paid &&
      seller.iban !== null && { 'cac:PaymentMeans': [paymentOf(document, seller.iban)] }),
    ...(isCredit && {
      'cac:PaymentTerms': { 'cbc:Note': `Credited against invoice ${refersTo}.` },
    }),
    'cac:TaxTotal': [
      {
        'cbc:TaxAmount': cents(vat),
        'cbc:TaxAmount@currencyID': currency,
        'cac:TaxSubtotal': groups.map(({ category, rate, reason, ...group }) => ({
          'cbc:TaxableAmount': cents(group.net),
          'cbc:TaxableAmount@currencyID': currency,
          'cbc:TaxAmount': cents(group.vat),
          'cbc:TaxAmount@currencyID': currency,
          'cac:TaxCategory': {
            'cbc:ID': category,
            ...(category !== 'O' && { 'cbc:Percent': String(rate) }),
            ...(exemptionCodes[category] && {
              'cbc:TaxExemptionReasonCode': exemptionCodes[category],
            }),
            ...(reason !== null && category !== 'Z' && { 'cbc:TaxExemptionReason': reason }),
            ...vatScheme,
          },
        })),
      },
    ],
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': cents(net),
      'cbc:LineExtensionAmount@currencyID': currency,
      'cbc:TaxExclusiveAmount': cents(net),
      'cbc:TaxExclusiveAmount@currencyID': currency,
      'cbc:TaxInclusiveAmount': cents(net + vat),
      'cbc:TaxInclusiveAmount@currencyID': currency,
      ...(prepaid > 0 && {
        'cbc:PrepaidAmount': cents(prepaid),
        'cbc:PrepaidAmount@currencyID': currency,
      }),
      'cbc:PayableAmount': cents(net + vat - prepaid),
      'cbc:PayableAmount@currencyID': currency,
    },
    'cac:InvoiceLine': [first!, ...others],
  }
}

function lineOf(line: TaxedLine, at: number, document: InvoiceDocument): Line {
  const { title, quantity, net, rate, category, note, reason } = line
  const isCredit = document.kind === 'credit'
  const counted = isCredit && net !== 0 ? -net : net
  const pieces = String(Math.abs(quantity))
  const texts = [note, discountText(line, document), reason].filter((text) => text !== null)
  return {
    'cbc:ID': String(at + 1),
    ...(texts.length > 0 && { 'cbc:Note': xmlText(texts.join('\n')) }),
    // What a line takes off is in its quantity, since no price may be below zero (EN 16931, BR-27).
    'cbc:InvoicedQuantity': counted < 0 ? `-${pieces}` : pieces,
    'cbc:InvoicedQuantity@unitCode': 'C62',
    'cbc:LineExtensionAmount': decimal(counted),
    'cbc:LineExtensionAmount@currencyID': currency,
    'cac:Item': {
      'cbc:Name': xmlText(title),
      'cac:ClassifiedTaxCategory': {
        'cbc:ID': category,
        ...(category !== 'O' && { 'cbc:Percent': String(rate) }),
        ...vatScheme,
      },
    },
    // The net price of all the pieces together is exact, that of one often is not.
    'cac:Price': {
      'cbc:PriceAmount': decimal(Math.abs(counted)),
      'cbc:PriceAmount@currencyID': currency,
      'cbc:BaseQuantity': pieces,
      'cbc:BaseQuantity@unitCode': 'C62',
    },
  }
}

function buyerOf(
  { buyer }: InvoiceDocument,
  { buyerEmail, isOutside }: { buyerEmail: string; isOutside: boolean },
): Ubl['cac:AccountingCustomerParty']['cac:Party'] {
  const { company, name, vatId } = buyer
  return {
    'cbc:EndpointID': buyerEmail,
    'cbc:EndpointID@schemeID': 'EM',
    'cac:PostalAddress': addressOf(buyer),
    ...(vatId !== null &&
      !isOutside && { 'cac:PartyTaxScheme': { 'cbc:CompanyID': vatId, ...vatScheme } }),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': company ?? name },
    ...(company !== null && { 'cac:Contact': { 'cbc:Name': name } }),
  }
}

function addressOf({
  street,
  street2 = null,
  postcode,
  city,
  region = null,
  country,
}: PrintedAddress) {
  return {
    ...(street && { 'cbc:StreetName': street }),
    ...(street2 && { 'cbc:AdditionalStreetName': street2 }),
    ...(city && { 'cbc:CityName': city }),
    ...(postcode && { 'cbc:PostalZone': postcode }),
    ...(region && { 'cbc:CountrySubentity': region }),
    // Documents of earlier versions keep the address as lines alone.
    'cac:Country': { 'cbc:IdentificationCode': countryCode.parse(country ?? 'FI') },
  }
}

/** The days of the supply; a supply within the union has to name some day (BR-IC-11). */
function periodOf(
  { suppliedFrom, suppliedOn, issuedOn }: InvoiceDocument,
  isWithinUnion: boolean,
): Pick<Ubl, 'cac:InvoicePeriod'> {
  if (suppliedOn !== null && suppliedFrom !== null && suppliedFrom !== suppliedOn) {
    return { 'cac:InvoicePeriod': { 'cbc:StartDate': suppliedFrom, 'cbc:EndDate': suppliedOn } }
  }
  return suppliedOn === null && isWithinUnion
    ? { 'cac:InvoicePeriod': { 'cbc:StartDate': issuedOn } }
    : {}
}

function deliveryOf(
  { suppliedFrom, suppliedOn, buyer }: InvoiceDocument,
  isWithinUnion: boolean,
): Pick<Ubl, 'cac:Delivery'> {
  const isOneDay = suppliedFrom === null || suppliedFrom === suppliedOn
  const day = isOneDay ? suppliedOn : null
  if (day === null && !isWithinUnion) return {}
  return {
    'cac:Delivery': {
      ...(day !== null && { 'cbc:ActualDeliveryDate': day }),
      ...(isWithinUnion && { 'cac:DeliveryLocation': { 'cac:Address': addressOf(buyer) } }),
    },
  }
}

const paymentOf = (
  { rf, seller }: InvoiceDocument,
  iban: string,
): NonNullable<Ubl['cac:PaymentMeans']>[number] => ({
  // SEPA credit transfer (UNTDID 4461).
  'cbc:PaymentMeansCode': '58',
  'cbc:PaymentID': rf,
  'cac:PayeeFinancialAccount': {
    'cbc:ID': iban.replaceAll(/\s/g, ''),
    'cbc:Name': seller.name,
    ...(seller.bic !== null && { 'cac:FinancialInstitutionBranch': { 'cbc:ID': seller.bic } }),
  },
})
