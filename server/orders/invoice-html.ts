import { officeDate } from '#shared/helsinki-time.ts'
import { euros, vatText } from '#shared/money.ts'
import { html, type Markup } from '../markup.ts'
import { barcodeSvg } from './barcode-picture.ts'
import { titleOf } from './invoice-pdf.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import { printedReference, printedRf } from './reference-number.ts'

const style = `body{font:16px/1.5 system-ui,sans-serif;color:#12151a;background:#fff;max-width:46rem;
margin:2rem auto;padding:0 1rem}h1{font-size:1.75rem;line-height:1.2}h2{font-size:1rem;margin-top:2rem}
table{border-collapse:collapse;width:100%;margin-top:1rem}caption{text-align:left;font-weight:600}
th,td{padding:.5rem .25rem;border-bottom:1px solid #dcd9d2;text-align:right;vertical-align:top}
th:first-child,td:first-child{text-align:left}dl{display:grid;grid-template-columns:max-content 1fr;
gap:.25rem 1.5rem;margin:0}dt{color:#565c65}dd{margin:0;overflow-wrap:anywhere}
.barcode svg{display:block;width:100%;max-width:32rem;height:auto}
.total{font-size:1.25rem;font-weight:700;text-align:right}@media print{body{margin:0;max-width:none}}`

/** An invoice or credit note as an HTML document that stands alone, for screen readers and archives. */
export function invoiceHtml(document: InvoiceDocument): string {
  const { seller, buyer } = document
  const title = titleOf(document)
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
          <h1>${title}</h1>
          ${facts([
            ['Date', officeDate(document.issuedOn)],
            [
              'Date of supply',
              document.suppliedOn === document.issuedOn ? null : officeDate(document.suppliedOn),
            ],
            ['Due date', document.dueOn && officeDate(document.dueOn)],
            ['Order', document.order],
            ['Refers to invoice', document.refersTo === null ? null : String(document.refersTo)],
          ])}
          <h2>Seller</h2>
          ${lines([
            seller.name,
            ...seller.address,
            seller.businessId && `Business ID ${seller.businessId}`,
            seller.vatId && `VAT ${seller.vatId}`,
            seller.email,
            seller.phone,
          ])}
          <h2>Bill to</h2>
          ${lines([buyer.company, buyer.name, ...buyer.address, buyer.vatId && `VAT ${buyer.vatId}`])}
          ${items(document)} ${vatTable(document)}
          <p class="total">Total ${euros(document.total)}</p>
          ${document.exemption ? html`<p>${document.exemption}</p>` : null} ${payment(document)}
        </main>
      </body>
    </html> `.markup
}

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

const items = ({ lines: bought }: InvoiceDocument): Markup =>
  html`<table>
    <caption>
      Items
    </caption>
    <thead>
      <tr>
        <th scope="col">Item</th>
        <th scope="col">Quantity</th>
        <th scope="col">Unit price</th>
        <th scope="col">VAT</th>
        <th scope="col">Total</th>
      </tr>
    </thead>
    <tbody>
      ${bought.map(
        ({ title, quantity, unit, rate, total }) =>
          html`<tr>
            <td>${title}</td>
            <td>${quantity}</td>
            <td>${euros(unit)}</td>
            <td>${vatText(rate)}</td>
            <td>${euros(total)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

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

function payment({ kind, paid, seller, reference, rf, dueOn, total, barcode }: InvoiceDocument) {
  if (paid) {
    return html`<p>
      ${kind === 'credit' ? 'This amount is credited to you.' : 'Paid. Thank you.'}
    </p>`
  }
  return html`<h2>How to pay</h2>
    ${facts([
      ['Recipient', seller.name],
      ['IBAN', seller.iban],
      ['BIC', seller.bic],
      ['Reference', printedReference(reference)],
      ['International reference', printedRf(rf)],
      ['Due date', dueOn && officeDate(dueOn)],
      ['Amount', euros(total)],
      ['Virtual barcode', barcode],
    ])}
    ${barcode ? html`<p class="barcode">${{ markup: barcodeSvg(barcode) }}</p>` : null}`
}
