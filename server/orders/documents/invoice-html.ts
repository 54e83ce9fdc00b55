import { longDate } from '#shared/dates/date-format.ts'
import { euros, vatText } from '#shared/money.ts'
import { html, type Markup } from '../../text/markup.ts'
import { barcodeSvg } from './pdf/barcode.ts'
import { titleOf } from './pdf/invoice-pdf.ts'
import {
  coveredBy,
  discountOf,
  discountText,
  paidText,
  sellerLines,
  supplyText,
  type InvoiceDocument,
} from './invoice-document.ts'
import { lineAmounts, netUnitInEuros } from './line-amounts.ts'
import { paymentCode, paymentCodeSvg } from './pdf/payment-qr.ts'
import { printedIban, printedReference, printedRf } from './reference-number.ts'

/** The look of the paper one: the screen's theme does not matter, since an invoice is printed. */
const style = `:root{color-scheme:light}*{box-sizing:border-box}
body{font:15px/1.55 Archivo,"Helvetica Neue",Arial,sans-serif;color:#12151a;background:#f1eee8;
margin:0;padding:clamp(0px,3vw,2.5rem)}
main{max-width:52rem;margin:auto;padding:clamp(1.25rem,5vw,3.5rem);background:#fff;
border-top:6px solid #ff4d1f}
header{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:baseline;justify-content:space-between;
margin-bottom:2.5rem}header p{margin:0;font-weight:700;font-size:1.1rem}
h1{margin:0;font-size:clamp(1.75rem,5vw,2.5rem);line-height:1.1;letter-spacing:-.02em}
h2,caption{margin:0 0 .4rem;color:#b3200b;font-size:.8rem;font-weight:700;letter-spacing:.06em;
text-align:left;text-transform:uppercase}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:2rem}
.parties p{margin:0}dl{display:grid;grid-template-columns:max-content minmax(0,1fr);
gap:.3rem 1.5rem;margin:0}dt{color:#565c65}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin-top:2.25rem;font-variant-numeric:tabular-nums}
th,td{padding:.6rem 0 .6rem .75rem;border-bottom:1px solid #dcd9d2;text-align:right;
vertical-align:top;white-space:nowrap}thead th{color:#565c65;font-weight:500}
th:first-child,td:first-child{padding-left:0;text-align:left;white-space:normal}
.each{display:none}td small{display:block;color:#565c65}.total{margin:1.5rem 0 0;font-size:1.75rem;font-weight:800;letter-spacing:-.02em;text-align:right}
.pay{margin-top:2.5rem;padding:clamp(1rem,4vw,1.75rem);background:#f6f4f0}
.ways{display:flex;flex-wrap:wrap;gap:1.25rem 2rem;align-items:flex-start}
.ways dl{flex:1 1 12rem;min-width:0}figure{margin:0;width:9.5rem}figure svg{display:block;width:100%;height:auto}
figcaption{margin-top:.4rem;color:#565c65;font-size:.8rem;text-align:center}.barcode{margin:1.25rem 0 0;background:#fff}.barcode svg{display:block;width:100%;max-width:36rem;
height:auto;margin:auto}@media(width<36rem){dl{grid-template-columns:minmax(0,2fr) minmax(0,3fr)}
body{font-size:14px}.unit{display:none}.each{display:block;color:#565c65}}@media print{body{padding:0;background:#fff}
main{max-width:none;padding:0;border:0}.pay,.barcode{break-inside:avoid}}`

/** An invoice or credit note as an HTML document that stands alone, for screen readers and archives. */
export function invoiceHtml(document: InvoiceDocument): string {
  const { seller, buyer } = document
  const title = titleOf(document)
  const discount = discountOf(document)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}, ${seller.name}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <main>
          <header>
            <p>${seller.name}</p>
            <h1>${title}</h1>
          </header>
          <div class="parties">
            <section>
              <h2>Seller</h2>
              ${lines([seller.name, ...sellerLines(seller)])}
            </section>
            <section>
              <h2>Bill to</h2>
              ${lines([buyer.company, buyer.name, ...buyer.address, buyer.vatId && `VAT ID ${buyer.vatId}`])}
            </section>
            <section>
              <h2>About</h2>
              ${about(document)}
            </section>
          </div>
          ${items(document)} ${vatTable(document)}
          ${discount > 0 ? html`<p>Discount code ${document.discountCode}: ${euros(-discount)}, taken off the lines above</p>` : null}
          <p class="total">Total ${euros(document.total)}</p>
          ${document.exemption ? html`<p>${document.exemption}</p>` : null} ${payment(document)}
        </main>
      </body>
    </html> `.markup
}

const about = (document: InvoiceDocument): Markup =>
  facts([
    ['Date', longDate(document.issuedOn)],
    ['Date of supply', supplyText(document)],
    ['Due date', document.dueOn && longDate(document.dueOn)],
    ['Order', document.order],
    ['Refers to invoice', document.refersTo === null ? null : String(document.refersTo)],
    ['Reason', document.remark],
  ])

const facts = (rows: readonly (readonly [string, string | null])[]): Markup =>
  html`<dl>
    ${rows.map(([name, value]) =>
      value
        ? html`<dt>${name}</dt>
            <dd>${value}</dd>`
        : null,
    )}
  </dl>`

const lines = (all: readonly (string | null)[]): Markup =>
  html`<p>
    ${all
      .filter((line): line is string => Boolean(line))
      .map((line, at) => (at === 0 ? html`${line}` : html`<br />${line}`))}
  </p>`

const items = (document: InvoiceDocument): Markup => {
  const amounts = lineAmounts(document)
  return html`<table>
    <caption>
      Items
    </caption>
    <thead>
      <tr>
        <th scope="col">Item</th>
        <th scope="col">Qty</th>
        <th scope="col" class="unit">Unit price, net</th>
        <th scope="col" class="unit">Net</th>
        <th scope="col">VAT</th>
        <th scope="col">Total</th>
      </tr>
    </thead>
    <tbody>
      ${document.lines.map((line, at) => {
        const { title, quantity, rate, total, note, reason } = line
        const discount = discountText(line, document)
        const { net } = amounts[at]!
        const unit = netUnitInEuros(net, quantity)
        return html`<tr>
          <td>
            ${title}<span class="each"> ${unit} net each</span>
            ${note ? html`<small>${note}</small>` : null}
            ${discount ? html`<small>${discount}</small>` : null}
            ${reason ? html`<small>${reason}</small>` : null}
          </td>
          <td>${quantity}</td>
          <td class="unit">${unit}</td>
          <td class="unit">${euros(net)}</td>
          <td>${vatText(rate)}</td>
          <td>${euros(total)}</td>
        </tr>`
      })}
    </tbody>
  </table>`
}

const vatTable = ({ vat }: InvoiceDocument): Markup =>
  html`<table>
    <caption>
      VAT
    </caption>
    <thead>
      <tr>
        <th scope="col">Rate</th>
        <th scope="col">Net</th>
        <th scope="col">VAT</th>
        <th scope="col">Gross</th>
      </tr>
    </thead>
    <tbody>
      ${vat.map(
        ({ rate, net, vat: tax, gross }) =>
          html`<tr>
            <th scope="row">${vatText(rate)}</th>
            <td>${euros(net)}</td>
            <td>${euros(tax)}</td>
            <td>${euros(gross)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

function payment(document: InvoiceDocument) {
  const { kind, paid, seller, reference, rf, dueOn, total, covered, barcode } = document
  if (paid) {
    return html`<p>
      ${kind === 'credit' ? 'This amount is credited to you.' : paidText(document)}
    </p>`
  }
  const code = paymentCode(document)
  return html`<section class="pay">
    <h2>How to pay</h2>
    <div class="ways">
      ${facts([
        ['Recipient', seller.name],
        ['IBAN', seller.iban && printedIban(seller.iban)],
        ['BIC', seller.bic],
        ['Reference', printedReference(reference)],
        ['International reference', printedRf(rf)],
        ['Due date', dueOn && longDate(dueOn)],
        [coveredBy(document), covered > 0 ? euros(covered) : null],
        ['Amount', euros(total - covered)],
        ['Virtual barcode', barcode],
      ])}
      ${
        code
          ? html`<figure>
              ${{ markup: paymentCodeSvg(code) }}
              <figcaption>Scan with your bank’s app</figcaption>
            </figure>`
          : null
      }
    </div>
    ${barcode ? html`<p class="barcode">${{ markup: barcodeSvg(barcode) }}</p>` : null}
  </section>`
}
