import { expect, test } from 'vitest'
import { htmlToText } from '#server/text/html-to-text.ts'
import { growth } from '../support/growth.ts'

test('HTML becomes the words that are read, in one line', () => {
  for (const [html, text] of [
    ['<h2>Ice</h2><p>Driving  on <b>fro</b>zen&nbsp;water.</p>', 'Ice · Driving on frozen water.'],
    ['<ul><li>One</li><li>Two</li></ul><p>R&amp;D &auml;&#228;&#xe4;</p>', 'One · Two · R&D äää'],
    ['<table><tr><th>Car</th><td>7</td></tr></table>', 'Car · 7'],
    ['a<script>b()</script><style>c</style><!-- d --><svg><text>e</text></svg>f', 'af'],
    ['<p>Jyva\u0308skyl\u00e4 micro&shy;phone</p>', 'Jyväskylä microphone'],
    ['<a href="https://example.com/x">here</a> <img src="x" alt="picture">', 'here'],
    ['1 < 2 <p', '1 < 2'],
    ['', ''],
  ] as const) {
    expect(htmlToText(html)).toBe(text)
  }
})

test.for([
  ['tags that never end', (count: number) => '<'.repeat(count)],
  ['an endless attribute', (count: number) => `<a ${'x="'.repeat(count)}`],
  ['deep nesting', (count: number) => '<div>'.repeat(count)],
  ['open comments', (count: number) => '<!--'.repeat(count)],
  ['half entities', (count: number) => '&#'.repeat(count)],
] as const)('a hostile text takes time in proportion to its length: %s', async ([, text]) => {
  const [short, long] = [text(1_000), text(100_000)]
  const times = await growth(
    () => htmlToText(short),
    () => htmlToText(long),
  )
  expect(times).toBeLessThan(1_500)
})
