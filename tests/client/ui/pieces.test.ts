import { createElement as h, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { LastDay } from '#client/ui/text/last-day.tsx'
import { expect, test } from 'vitest'
import { DataTable } from '#client/ui/lists/data-table.tsx'
import { ErrorSummary } from '#client/forms/error-summary.tsx'
import { Facts } from '#client/ui/lists/facts.tsx'
import { Field, SelectField } from '#client/forms/field.tsx'
import { Price } from '#client/ui/text/price.tsx'
import { QuantityInput } from '#client/forms/quantity-input.tsx'
import { RadioCards } from '#client/forms/radio-cards.tsx'
import { Steps } from '#client/ui/lists/steps.tsx'

/** The HTML of a piece, as a page without scripts has it; classes left out. */
const html = <Props extends object>(piece: ComponentType<Props>, props: Props) =>
  renderToStaticMarkup(h(piece, props)).replaceAll(/ class="[^"]*"/g, '')

const text = (markup: string) => markup.replaceAll(/<[^>]*>/g, '')

test('a field describes its control by hint and error', () => {
  const field = html(Field, {
    id: 'place',
    label: 'Place',
    name: 'place',
    hint: 'Town or circuit',
    error: 'Where is it?',
    optional: true,
  })
  expect(field).toContain('<label for="place">Place<span> (optional)</span></label>')
  expect(field).toContain('aria-invalid="true" aria-describedby="place-hint place-error"')
  expect(field).toContain('<p id="place-hint">Town or circuit</p>')
  expect(field).toContain('<p id="place-error">Where is it?</p>')
})

test('a sound field says of itself that it is neither wrong nor described', () => {
  const field = html(Field, { label: 'Name', name: 'name' })
  expect(field).not.toContain('aria-')
})

test('a choice keeps what was chosen', () => {
  const field = html(SelectField, {
    label: 'Country',
    name: 'country',
    defaultValue: 'SE',
    options: [
      { value: 'FI', label: 'Finland' },
      { value: 'SE', label: 'Sweden' },
    ],
  })
  expect(field).toContain('<option value="SE" selected="">Sweden</option>')
})

test('cards of a choice are radio buttons under one legend, and an error leads to the first', () => {
  const cards = html(RadioCards, {
    id: 'payment',
    legend: 'Payment',
    name: 'payment',
    defaultValue: 'invoice',
    required: true,
    error: 'Please choose',
    options: [
      { value: 'invoice', label: 'Invoice', detail: '14 days' },
      { value: 'stripe', label: 'Card', disabled: true },
    ],
  })
  expect(cards).toMatch(/<fieldset aria-describedby="payment-error"><legend>Payment<\/legend>/)
  expect(cards).toMatch(/<input type="radio" id="payment"[^>]* checked=""/)
  expect(cards).toMatch(/<input type="radio" id="payment-1"[^>]* disabled=""/)
})

test('a summary of errors leads to each of them, and is not there without any', () => {
  const summary = html(ErrorSummary, { form: 'move', errors: { from: 'Choose a date' } })
  expect(summary).toMatch(
    /^<div id="result" tabindex="-1" role="alert" aria-labelledby="[^"]+"><h2/,
  )
  expect(summary).toContain('<a href="#move-from">Choose a date</a>')
  expect(html(ErrorSummary, { form: 'move', errors: {} })).toBe('')
})

test('steps name the present one, and lead back to those that can be gone back to', () => {
  const steps = html(Steps, {
    current: 1,
    steps: [{ title: 'Dates', href: '/a' }, { title: 'Details', href: '/b' }, { title: 'Check' }],
  })
  expect(steps).toContain('<a href="/a">Dates</a><span> (done)</span>')
  expect(steps).toContain('<li aria-current="step"><span>Details</span></li>')
  expect(steps).toContain('<li><span>Check</span></li>')
})

test('a quantity is a number within its limits', () => {
  const quantity = html(QuantityInput, { label: 'Quantity', name: 'quantity', max: 3 })
  expect(quantity).toMatch(
    /type="number"[^>]* min="0" max="3" step="1" required="" name="quantity" value="1"/,
  )
  expect(quantity).toContain('aria-label="Increase: Quantity"')
})

test.each([
  [{ cents: 89_000 }, '€890'],
  [{ cents: 1250 }, '€12.50'],
  [{ cents: 123_456_789 }, '€1,234,567.89'],
  [{ cents: -500 }, '−€5'],
  [{ cents: 0 }, '€0'],
  [{ cents: 5 }, '€0.05'],
  [{ cents: 390_000, from: true, note: 'excl. VAT' }, 'from €3,900 excl. VAT'],
  [{ cents: 900, was: 1200 }, 'Before: €12 Now: €9'],
])('a price of %o reads %s', (props, read) => {
  expect(text(html(Price, props))).toBe(read)
})

test('facts without a value are left out, and nought is one', () => {
  const facts = html(Facts, {
    facts: [
      ['Client', null],
      ['Place', ''],
      ['Left', 0],
    ],
  })
  expect(facts).toBe('<dl><div><dt>Left</dt><dd>0</dd></div></dl>')
})

test('the cells of a table know their columns, and sums stand below the last of them', () => {
  const table = html(DataTable, {
    label: 'Order',
    columns: ['Product', 'Quantity', { title: 'Total', numeric: true }],
    rows: [{ key: 'a', cells: ['Print', 2, '€40'] }],
    sums: [{ label: 'Total', value: '€40' }],
  })
  expect(table).toContain('<th scope="row">Print</th>')
  expect(table).toContain('<td data-label="Total" data-numeric="true"><div>€40</div></td>')
  expect(table).toMatch(/<tfoot>.*colspan="2">Total<\/th>/i)
})

test('what ends at midnight has its last day before it, at whatever minute else on that day', () => {
  expect(html(LastDay, { end: '2027-01-31T22:00:00.000Z' })).toContain('>31 Jan 2027<')
  expect(html(LastDay, { end: '2027-01-31T13:00:00.000Z' })).toContain('>31 Jan 2027<')
})
