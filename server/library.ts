import { createRequire } from 'node:module'
import type * as chokidar from 'chokidar'
import type * as csvParse from 'csv-parse/sync'
import type * as xml from 'fast-xml-parser'
import type * as htmlToText from 'html-to-text'
import type ICAL from 'ical.js'
import type JsBarcode from 'jsbarcode'
import type * as vatNumbers from 'jsvat-next'
import type * as otp from 'otpauth'
import type * as qr from 'qr'
import type * as zones from 'timezones-ical-library'
import type * as windowsZones from 'windows-iana'

/** What most commands do without, by the name of its package, and what each exports. */
export type Libraries = {
  chokidar: typeof chokidar
  'csv-parse/sync': typeof csvParse
  'fast-xml-parser': typeof xml
  'html-to-text': typeof htmlToText
  'ical.js': typeof ICAL
  jsbarcode: typeof JsBarcode
  'jsvat-next': typeof vatNumbers
  otpauth: typeof otp
  qr: typeof qr
  'timezones-ical-library': typeof zones
  'windows-iana': typeof windowsZones
}

const require = createRequire(import.meta.url)

const loaded: Partial<Libraries> = {}

/** Whether a library has been loaded, by its first use or by {@link provideLibrary}. */
export const isLoaded = (name: keyof Libraries): boolean => loaded[name] !== undefined

/** Hands in the exports of a library that is loaded already, as a server does soon after its start. */
export function provideLibrary(name: keyof Libraries, exports: Libraries[keyof Libraries]): void {
  Object.assign(loaded, { [name]: exports })
}

/**
 * A library that a command loads when it first uses it, in code that can't wait for an `import()`. A
 * server has all of them half a second after its start, since one takes up to a tenth of a second
 * (docs/decisions/0073).
 * @returns what gives the package's exports
 */
export function library<Name extends keyof Libraries>(name: Name): () => Libraries[Name] {
  return () => (loaded[name] ??= require(name) as Libraries[Name])
}
