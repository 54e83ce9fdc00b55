import { expect, test } from 'vitest'
import {
  beginning,
  isLongerThan,
  plainName,
  plainLines,
  shortened,
  plainLine,
} from '#shared/text/text.ts'

test.each([
  ['Aino\r\nBcc: victim', 'Aino Bcc: victim'],
  ['a\tb\u2028c\u0085d', 'a b c d'],
  ['\u001b[2Jred', '[2Jred'],
  ['gpj.\u202Eexe', 'gpj.\u2067exe\u2069'],
  ['\u202bאבג\u202c\u202c d', '\u2067אבג\u2069 d'],
  ['علی\u200cرضا \u200fحسینی', 'علی\u200cرضا \u200fحسینی'],
  ['\u2068שלום', '\u2068שלום\u2069'],
  ['\u200f\u200d \u2069', ''],
  [' 王小明 🏁 ', '王小明 🏁'],
  ['👩‍🔧', '👩‍🔧'],
])('%j on one line is %j', (text, line) => {
  expect(plainLine(text)).toBe(line)
})

test('several lines keep their breaks, and no turn of direction reaches the next', () => {
  expect(plainLines('one\r\ntwo\u0000\n\n\u2066three\u2069\n')).toBe(
    'one\ntwo\n\n\u2066three\u2069',
  )
})

test.each(['a', 'e\u0301', '🇫🇮', '👨‍👩‍👧‍👦', 'நி'])('%s is one character', (character) => {
  expect(isLongerThan(character.repeat(20), 20)).toBe(false)
  expect(isLongerThan(character.repeat(21), 20)).toBe(true)
})

test('a text is cut between characters', () => {
  expect(shortened('🏁🏁🏁', 2)).toBe('🏁…')
  expect(shortened('🏁🏁', 2)).toBe('🏁🏁')
})

test.each([
  ['Two cars.\nOne road.', 'Two cars. One road.'],
  ['Two cars on one road. Both of them finished.', 'Two cars on one road.'],
  ['Two cars. One road between the lakes.', 'Two cars. One road…'],
  ['Two cars, and the road – narrow', 'Two cars, and the road…'],
  ['Tuulilasinpyyhkijänsulka', 'Tuulilasinpyyhkijänsulka'],
  ['Tuulilasinpyyhkijänsulkajuttu', 'Tuulilasinpyyhkijänsulka…'],
])('%j begins with %j', (text, words) => {
  expect(beginning(text, 25)).toBe(words)
})

test.each([
  'Aino Virtanen',
  'Anna-Liisa Öhman',
  "Seán O'Brien",
  'J. R. Tolkien',
  'Анна Каренина',
  '王小明',
  'विराट कोहली',
  'علی\u200cرضا حسینی',
])('%s is plainly a name', (name) => {
  expect(plainName(name)).toBe(name)
})

test.each([
  'Win now at evil.example',
  'http://evil.example',
  'Call 0700 123456',
  'You have won, click',
  'a@b.example',
  'Dear customer your parcel waits here',
  '<b>Aino</b>',
  '',
  'x'.repeat(61),
])('"%s" is not', (text) => {
  expect(plainName(text)).toBeNull()
})
