import { expect, test } from 'vitest'
import { frameTables } from '#client/ui/rich-tables.ts'

const head =
  '<thead><tr><th>Package</th><th>During <em>the</em> &quot;event&quot;</th></tr></thead>'
const plain = `<table>${head}<tbody><tr><td>Race day</td><td>15 pictures</td></tr></tbody></table>`

test('cells of a plain table know their columns', () => {
  const framed = frameTables(`<p>Before</p>${plain}<p>After</p>`)
  expect(framed).toMatch(/^<p>Before<\/p><div class="[^"]+"><table role="table" class="[^"]+">/)
  expect(framed).toMatch(/<\/table><\/div><p>After<\/p>$/)
  expect(framed).toContain('<td role="cell">Race day</td>')
  expect(framed).toContain(
    '<td role="cell" data-label="During the &quot;event&quot;">15 pictures</td>',
  )
  expect(framed).toContain('<thead role="rowgroup"><tr role="row"><th role="columnheader">')
  expect(framed).not.toContain('tabindex')
})

test('a row that is named by its first cell stays named by it', () => {
  const framed = frameTables(plain.replace('<td>Race day</td>', '<th scope="row">Race day</th>'))
  expect(framed).toContain('<th role="rowheader" scope="row">Race day</th>')
})

test.each([
  ['a cell over two columns', plain.replace('<td>Race', '<td colspan="2">Race')],
  ['a row with a cell too few', plain.replace('<td>15 pictures</td>', '')],
  ['no head', plain.replace(head, '')],
  ['a table inside', plain.replace('15 pictures', plain)],
  ['one column', '<table><thead><tr><th>A</th></tr></thead><tr><td>1</td></tr></table>'],
])('a table with %s scrolls, by keyboard too', (_, table) => {
  const framed = frameTables(table)
  expect(framed).toMatch(/^<div class="[^"]+" tabindex="0" role="group" aria-label="Table"><table /)
  expect(framed).not.toContain('data-label')
  expect(framed.match(/<div/g)).toHaveLength(1)
})

test('several tables each have a frame, and text without any stays as it is', () => {
  expect(frameTables(plain + plain).match(/<div/g)).toHaveLength(2)
  expect(frameTables('<p>Tables are &lt;table&gt;</p>')).toBe('<p>Tables are &lt;table&gt;</p>')
})

test('what is no table at all takes no longer than it is long', () => {
  const started = performance.now()
  frameTables('<table'.repeat(20_000))
  frameTables(`<table>${'<tr><th>'.repeat(20_000)}</table>`)
  frameTables(`<table><thead><tr><th>${'<'.repeat(50_000)}</table>`)
  expect(performance.now() - started).toBeLessThan(500)
})
