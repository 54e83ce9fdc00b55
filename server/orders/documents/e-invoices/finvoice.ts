import { failure } from '#shared/failures.ts'
import { decimal, sum } from '#shared/money.ts'
import { xmlDocument } from '../../../text/xml-document.ts'
import { discountText, type InvoiceDocument, type PrintedAddress } from '../invoice-document.ts'
import { netUnitPrice } from '../line-amounts.ts'
import { xmlText } from '../printed-line.ts'
import { taxedLines, taxGroups, type TaxedLine, type TaxGroup } from '../tax-groups.ts'

/** A part of the document: elements in the order in which the schema has them. */
type Element = { readonly [name: string]: Content }
type Content = string | undefined | Element | readonly Element[] | readonly string[]

/** A text as long as its element takes. */
const cut = (text: string, characters: number): string =>
  Array.from(xmlText(text)).slice(0, characters).join('').trim()

/** A number with the decimal comma of Finvoice. */
const comma = (text: string): string => text.replace('.', ',')
const amount = (cents: number): Element => ({
  '@AmountCurrencyIdentifier': 'EUR',
  '#text': comma(decimal(cents)),
})
const date = (civil: string): Element => ({
  '@Format': 'CCYYMMDD',
  '#text': civil.replaceAll('-', ''),
})
const scheme = (name: string, text: string): Element => ({
  '@IdentificationSchemeName': name,
  '#text': text,
})

/**
 * Writes an invoice or credit note as Finvoice 3.0 (Finance Finland, application guidelines 3.0). It has
 * no frame for a sender and receiver: the operator who takes it adds that. Amounts of credit notes are
 * negative, as the guidelines have it.
 * @returns XML, UTF-8
 * @throws wrong-state without the seller's account, which the schema demands
 */
export function finvoice(document: InvoiceDocument): string {
  const { seller, buyer, barcode, kind, paid } = document
  const iban = seller.iban?.replaceAll(/\s/g, '')
  if (!iban) {
    throw failure('wrong-state', {
      message: 'A Finvoice needs the seller’s account: enter “iban” in the settings.',
    })
  }
  const root: Element = {
    '@Version': '3.0',
    SellerPartyDetails: {
      SellerPartyIdentifier: seller.businessId ?? undefined,
      SellerOrganisationName: cut(seller.name, 70),
      SellerOrganisationTaxCode: seller.vatId ?? undefined,
      SellerPostalAddressDetails: addressOf('Seller', { ...seller, country: 'FI' }),
    },
    SellerCommunicationDetails: some({
      SellerPhoneNumberIdentifier: seller.phone ? cut(seller.phone, 35) : undefined,
      SellerEmailaddressIdentifier: seller.email ? cut(seller.email, 70) : undefined,
    }),
    SellerInformationDetails: seller.bic
      ? {
          SellerAccountDetails: {
            SellerAccountID: scheme('IBAN', iban),
            SellerBic: scheme('BIC', seller.bic),
          },
        }
      : undefined,
    BuyerPartyDetails: {
      BuyerOrganisationName: cut(buyer.company ?? buyer.name, 70),
      BuyerOrganisationTaxCode: buyer.vatId ?? undefined,
      BuyerPostalAddressDetails: addressOf('Buyer', buyer),
    },
    BuyerContactPersonName: buyer.company === null ? undefined : cut(buyer.name, 35),
    DeliveryDetails: deliveryOf(document),
    InvoiceDetails: detailsOf(document),
    PaymentStatusDetails: {
      PaymentStatusCode: paid && kind === 'invoice' ? 'PAID' : 'NOTPAID',
    },
    VirtualBankBarcode: barcode ?? undefined,
    InvoiceRow: taxedLines(document).map((line, at) => rowOf(line, at, document)),
    EpiDetails: paymentOf(document, iban),
  }
  return xmlDocument({ Finvoice: root })
}

/** A part that is left out when it has nothing. */
const some = (element: Element): Element | undefined =>
  Object.values(element).some((content) => content !== undefined) ? element : undefined

/** An address with a field for each of its parts; null where a part is missing, since the schema wants all. */
function addressOf(
  whose: 'Seller' | 'Buyer',
  { street, street2 = null, postcode, city, region = null, country }: PrintedAddress,
): Element | undefined {
  if (!street || !postcode || !city) return undefined
  const second = street2 ? cut(street2, 35) : ''
  return {
    // The schema takes up to three lines.
    [`${whose}StreetName`]: second ? [cut(street, 35), second] : cut(street, 35),
    [`${whose}TownName`]: cut(city, 35),
    [`${whose}PostCodeIdentifier`]: cut(postcode, 35),
    [`${whose}CountrySubdivision`]: region ? cut(region, 35) : undefined,
    CountryCode: country ?? undefined,
  }
}

function deliveryOf({ suppliedFrom, suppliedOn }: InvoiceDocument): Element | undefined {
  if (suppliedOn === null) return undefined
  return suppliedFrom === null || suppliedFrom === suppliedOn
    ? { DeliveryDate: date(suppliedOn) }
    : { DeliveryPeriodDetails: { StartDate: date(suppliedFrom), EndDate: date(suppliedOn) } }
}

function detailsOf(document: InvoiceDocument): Element {
  const { kind, number, refersTo, order, issuedOn, dueOn, total, covered, remark, paid } = document
  const groups = taxGroups(document)
  const net = sum(groups.map((group) => group.net))
  const vat = sum(groups.map((group) => group.vat))
  return {
    InvoiceTypeCode: kind === 'credit' ? 'INV02' : 'INV01',
    InvoiceTypeCodeUN: kind === 'credit' ? '381' : '380',
    InvoiceTypeText: kind === 'credit' ? 'CREDIT NOTE' : 'INVOICE',
    OriginCode: 'Original',
    InvoiceNumber: String(number),
    InvoiceDate: date(issuedOn),
    OriginalInvoiceNumber: refersTo === null ? undefined : String(refersTo),
    SellerReferenceIdentifier: order,
    RowsTotalVatExcludedAmount: amount(net),
    InvoiceTotalVatExcludedAmount: amount(net),
    InvoiceTotalVatAmount: amount(vat),
    InvoiceTotalVatIncludedAmount: amount(total),
    InvoicePaidAmount:
      kind === 'invoice' && (paid || covered > 0) ? amount(paid ? total : covered) : undefined,
    VatSpecificationDetails: groups.map(vatOf),
    InvoiceFreeText: remark ? cut(remark, 512) : undefined,
    PaymentTermsDetails: dueOn === null ? undefined : { InvoiceDueDate: date(dueOn) },
  }
}

const vatOf = ({ category, rate, net, vat, reason }: TaxGroup): Element => ({
  VatBaseAmount: amount(net),
  VatRatePercent: category === 'O' ? undefined : comma(String(rate)),
  VatCode: category,
  VatRateAmount: amount(vat),
  // Three pieces of 70 characters.
  VatFreeText: reason === null ? undefined : (cut(reason, 210).match(/.{1,70}/gsu) ?? undefined),
})

function rowOf(line: TaxedLine, at: number, document: InvoiceDocument): Element {
  const { title, quantity, net, vat, rate, category, note, reason, total } = line
  const texts = [note, discountText(line, document), reason].flatMap((text) =>
    text ? [cut(text, 512)] : [],
  )
  return {
    ArticleName: cut(title, 100),
    InvoicedQuantity: {
      '@QuantityUnitCode': 'pcs',
      '@QuantityUnitCodeUN': 'C62',
      '#text': String(quantity),
    },
    UnitPriceAmount: {
      '@AmountCurrencyIdentifier': 'EUR',
      '@QuantityUnitCodeUN': 'C62',
      '#text': comma(netUnitPrice(net, quantity, 5)),
    },
    RowPositionIdentifier: String(at + 1),
    RowFreeText: texts.length > 0 ? texts : undefined,
    RowVatRatePercent: category === 'O' ? undefined : comma(String(rate)),
    RowVatCode: category,
    RowVatAmount: amount(vat),
    RowVatExcludedAmount: amount(net),
    RowAmount: amount(total),
  }
}

/** The order to pay. What asks for nothing has an amount of nothing, since the schema demands one. */
function paymentOf(
  { seller, issuedOn, dueOn, reference, total, covered, paid }: InvoiceDocument,
  iban: string,
): Element {
  return {
    EpiIdentificationDetails: { EpiDate: date(issuedOn), EpiReference: reference },
    EpiPartyDetails: {
      EpiBfiPartyDetails: seller.bic ? { EpiBfiIdentifier: scheme('BIC', seller.bic) } : '',
      EpiBeneficiaryPartyDetails: {
        EpiNameAddressDetails: cut(seller.name, 35),
        EpiAccountID: scheme('IBAN', iban),
      },
    },
    EpiPaymentInstructionDetails: {
      EpiRemittanceInfoIdentifier: scheme('SPY', reference),
      EpiInstructedAmount: amount(paid ? 0 : total - covered),
      EpiCharge: { '@ChargeOption': 'SHA', '#text': 'SHA' },
      EpiDateOptionDate: date(dueOn ?? issuedOn),
      EpiPaymentMeansCode: '58',
    },
  }
}
