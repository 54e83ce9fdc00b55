import { expect, test } from 'vitest'
import { loadLibraries } from '#server/libraries.ts'
import { isLoaded, library } from '#server/library.ts'

type Name = Parameters<typeof library>[0]

/** What the code takes from each library; a package may give `require` something else than `import`. */
const taken: Readonly<Record<Name, readonly string[]>> = {
  chokidar: ['watch'],
  'csv-parse/sync': ['CsvError', 'parse'],
  'fast-xml-parser': ['XMLBuilder', 'XMLParser', 'XMLValidator'],
  'html-to-text': ['compile'],
  'ical.js': ['Component', 'Duration', 'Property', 'Recur', 'Time', 'parse'],
  jsbarcode: [],
  'jsvat-next': ['checkVAT'],
  otpauth: ['Secret', 'TOTP'],
  qr: ['encodeQR'],
  'timezones-ical-library': ['tzlib_get_ical_block', 'tzlib_get_timezones'],
  'windows-iana': ['findIana'],
}

test.each(Object.keys(taken) as Name[])('%s gives what is taken from it', (name) => {
  const given = library(name)() as unknown as Record<string, unknown>
  expect(taken[name].filter((each) => given[each] === undefined)).toEqual([])
})

test('a server loads what has not been used yet, and nothing twice', async () => {
  const used = library('ical.js')()
  await loadLibraries()
  expect(Object.keys(taken).filter((name) => !isLoaded(name as Name))).toEqual([])
  expect(library('ical.js')()).toBe(used)
})

test('jsbarcode is itself what is called', () => {
  expect(typeof library('jsbarcode')()).toBe('function')
})
