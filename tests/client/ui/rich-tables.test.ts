import { expect, test } from 'vitest'
import { frameTables } from '#client/ui/text/rich-tables.ts'
import { growth } from '../../support/growth.ts'

const head =
  '<thead><tr><th>Package</th><th>During <em>the</em> &quot;event&quot;</th></tr></thead>'
const plain = `<table>${head}<tbody><tr><td>Race day</td><td>15 pictures</td></tr></tbody></table>`

test('cells of a plain table know their columns', () => {
  const framed = frameTables(`<p>Before</p>${plain}<p>After</p>`)
  expect(framed).toMatch(/^<p>Before<\/p><div class="[^"]+"><table class="[^"]+">/)
  expect(framed).toMatch(/<\/table><\/div><p>After<\/p>$/)
  expect(framed).toContain('<td>Race day</td>')
  expect(framed).toContain('<td data-label="During the &quot;event&quot;">15 pictures</td>')
  expect(framed).toContain(head)
  expect(framed).not.toContain('tabindex')
})

test('a row that is named by its first cell stays named by it', () => {
  const framed = frameTables(plain.replace('<td>Race day</td>', '<th scope="row">Race day</th>'))
  expect(framed).toContain('<th scope="row">Race day</th>')
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

test.each([
  ['tags that never end', (count: number) => '<table'.repeat(count)],
  ['cells without an end', (count: number) => `<table>${'<tr><th>'.repeat(count)}</table>`],
  ['a label of brackets', (count: number) => `<table><thead><tr><th>${'<'.repeat(count)}</table>`],
])('%s take time in proportion to their length', async (_, text) => {
  const [short, long] = [text(1_000), text(100_000)]
  // A hundred times the length is ten thousand times the work if each part looks at all others;
  // memory alone makes it up to four hundred.
  const times = await growth(
    () => frameTables(short),
    () => frameTables(long),
  )
  expect(times).toBeLessThan(1_500)
})
