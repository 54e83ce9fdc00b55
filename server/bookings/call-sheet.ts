import { Router, type Response } from 'express'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { Http } from '../feature.ts'
import type { RateLimit } from '../http/limits/limits.ts'
import type { Attachment } from '../mail/message.ts'
import { html, type Markup } from '../text/markup.ts'
import type { BookingDocuments } from './documents.ts'
import type { Booking } from './schema.ts'

/** What call sheets are made from. */
type SheetDeps = {
  /** The booking of a link. @throws missing, gone */
  ofSheet: (token: string) => Booking
  documents: Pick<BookingDocuments, 'sheet' | 'sheetFile'>
}

/** Sends a document of a booking; knowing its address is the right to it. */
export const sendPdf = (response: Response, { filename, content }: Attachment): void =>
  void response
    .setHeader('Content-Type', 'application/pdf')
    .setHeader('Content-Disposition', `inline; filename="${filename}"`)
    .setHeader('Cache-Control', 'private, no-store')
    .setHeader('Referrer-Policy', 'no-referrer')
    .setHeader('X-Robots-Tag', 'noindex')
    .send(content)

/** Mounts the call sheets: what the crew has to know of a booking on the day, as a page and as a PDF. */
export function mountCallSheets(
  { mount, plain, limit: limiterOf }: Pick<Http, 'mount' | 'plain' | 'limit'>,
  limit: RateLimit,
  { ofSheet, documents }: SheetDeps,
): void {
  const router = Router({ caseSensitive: true })
  const path = linkedPaths.bookingSheet
  router.get(linkedPaths.bookingSheetPdf(':token'), limiterOf(limit), async (request, response) => {
    sendPdf(response, await documents.sheetFile(ofSheet(String(request.params.token))))
  })
  router.get(path(':token'), limiterOf(limit), async (request, response) => {
    const token = String(request.params.token)
    const { reference, service, facts, days, crew, notes } = await documents.sheet(ofSheet(token))
    response.setHeader('Referrer-Policy', 'no-referrer').setHeader('X-Robots-Tag', 'noindex')
    await plain.reply(response, 200, {
      title: `Call sheet ${reference}`,
      body: html`<h1>Call sheet: ${service}</h1>
        ${list(facts)} ${part('Daily times', days)} ${part('Crew', crew)} ${part('Notes', notes)}
        <p><a href="${linkedPaths.bookingSheetPdf(token)}">Call sheet as PDF</a></p>`,
    })
  })
  router.use(
    path(':token'),
    plain.failures(({ message }: { message: string }) => ({
      title: 'Call sheet not found',
      body: html`<h1>Call sheet not found</h1>
        <p>${message}</p>`,
    })),
  )
  mount(router)
}

type Rows = readonly (readonly [string, string])[]

const list = (rows: Rows): Markup =>
  html`<dl>
    ${rows.map(
      ([term, text]) =>
        html`<dt><strong>${term}</strong></dt>
          <dd>${text}</dd>`,
    )}
  </dl>`

/** A part of the sheet under its heading; nothing without rows. */
const part = (title: string, rows: Rows): Markup[] =>
  rows.length === 0
    ? []
    : [
        html`<h2>${title}</h2>
          ${list(rows)}`,
      ]
