import { expect, test } from 'vitest'
import { htmlToText } from '#server/text/html-to-text.ts'
import { textOfMail } from '#server/text/mail-text.ts'
import { mentions, withoutMentions } from '#server/text/mentions.ts'
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

test('the text part of an email has all words of an article, each in its line', () => {
  const table =
    '<table class="data"><caption>Results</caption><tr><th>Pos</th><th>Driver</th></tr><tr><td>1</td><td>Kalle</td></tr></table>'
  const list = '<dl><dt>Length</dt><dd>12 km</dd><dt>Start</dt><dd>Noon</dd></dl>'
  const folded = '<details><summary>More</summary>Laps</details>'
  expect(textOfMail(`<h4>Stage four</h4>${table}${list}${folded}<p>End</p>`)).toBe(
    'Stage four\n\nResults\n\nPos  Driver\n1    Kalle\n\nLength\n12 km\nStart\nNoon\n\nMore\nLaps\n\nEnd\n',
  )
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

test('an address is found in words, and not in a longer address', () => {
  for (const [text, isThere] of [
    ['Ask Aino@Example.com.', true],
    ["'aino@example.com', <aino@example.com> or mailto:aino@example.com?", true],
    ['Virtanen -aino@example.com- and …aino@example.com…', true],
    [JSON.stringify({ note: 'Mine:\naino@example.com' }), true],
    ['maino@example.com', false],
    ['j.aino@example.com, j+aino@example.com, j-aino@example.com', false],
    ['ääaino@example.com', false],
    ['aino@example.com.au, aino@example.company, aino@example.com-racing.fi', false],
    ['aino at example.com', false],
  ] as const) {
    expect([text, mentions(text, 'aino@example.com')]).toEqual([text, isThere])
  }
  expect(withoutMentions('AINO@example.com, maino@example.com', 'aino@example.com')).toBe(
    '[erased], maino@example.com',
  )
  // What a pattern would read as its own signs.
  expect(mentions('a+b.c@example.com', 'a+b.c@example.com')).toBe(true)
  expect(mentions('a+bxc@example.com', 'a+b.c@example.com')).toBe(false)
})
