import { expect, test } from 'vitest'
import { loadLibraries } from '#server/libraries.ts'
import { library } from '#server/library.ts'

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

test('a server that handed in what it loaded is given the same', async () => {
  await loadLibraries()
  const { default: ICAL } = await import('ical.js')
  expect(library('ical.js')()).toBe(ICAL)
  const { compile } = await import('html-to-text')
  expect(library('html-to-text')().compile).toBe(compile)
})

test('jsbarcode is itself what is called', () => {
  expect(typeof library('jsbarcode')()).toBe('function')
})
