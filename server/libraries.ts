import * as chokidar from 'chokidar'
import * as csvParse from 'csv-parse/sync'
import * as xml from 'fast-xml-parser'
import * as htmlToText from 'html-to-text'
import ICAL from 'ical.js'
import JsBarcode from 'jsbarcode'
import * as vatNumbers from 'jsvat-next'
import * as otp from 'otpauth'
import * as qr from 'qr'
import * as zones from 'timezones-ical-library'
import * as windowsZones from 'windows-iana'
import { provideLibraries } from './library.ts'

/** For a server, whose requests must not wait for each other while one of them loads a library. */
provideLibraries({
  chokidar,
  'csv-parse/sync': csvParse,
  'fast-xml-parser': xml,
  'html-to-text': htmlToText,
  'ical.js': ICAL,
  jsbarcode: JsBarcode,
  'jsvat-next': vatNumbers,
  otpauth: otp,
  qr,
  'timezones-ical-library': zones,
  'windows-iana': windowsZones,
})
