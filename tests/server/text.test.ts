import { expect, test } from 'vitest'
import { htmlToText } from '#server/text/html-to-text.ts'

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
  ['tags that never end', '<'.repeat(200_000)],
  ['an endless attribute', `<a ${'x="'.repeat(100_000)}`],
  ['deep nesting', '<div>'.repeat(100_000)],
  ['open comments', '<!--'.repeat(50_000)],
  ['half entities', '&#'.repeat(100_000)],
] as const)('a hostile text takes no longer than its length: %s', ([, html]) => {
  const started = performance.now()
  htmlToText(html)
  expect(performance.now() - started).toBeLessThan(2_000)
})
