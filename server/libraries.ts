import { setImmediate as nextTurn } from 'node:timers/promises'
import { isLoaded, provideLibrary, type Libraries } from './library.ts'

const loaders: { [Name in keyof Libraries]: () => Promise<Libraries[Name]> } = {
  chokidar: () => import('chokidar'),
  'csv-parse/sync': () => import('csv-parse/sync'),
  'fast-xml-parser': () => import('fast-xml-parser'),
  'html-to-text': () => import('html-to-text'),
  'ical.js': async () => (await import('ical.js')).default,
  jsbarcode: async () => (await import('jsbarcode')).default,
  'jsvat-next': () => import('jsvat-next'),
  otpauth: () => import('otpauth'),
  qr: () => import('qr'),
  'timezones-ical-library': () => import('timezones-ical-library'),
  'windows-iana': () => import('windows-iana'),
}

/**
 * Loads all libraries for a server, whose requests must not wait for each other while one of them needs
 * one: soon after its start, with requests in between.
 */
export async function loadLibraries(): Promise<void> {
  for (const name of Object.keys(loaders) as (keyof Libraries)[]) {
    // What has been used meanwhile isn't loaded twice: its copy in the bundle is another one.
    if (isLoaded(name)) continue
    provideLibrary(name, await loaders[name]())
    await nextTurn()
  }
}
