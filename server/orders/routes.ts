import express, { Router, type RequestHandler, type Response } from 'express'
import { failure } from '#shared/failures.ts'
import {
  askAtOnce,
  checkout,
  getCheckoutForm,
  getOrder,
  openOrder,
  withdraw,
  type DocumentFormat,
} from '#shared/shop/orders.ts'
import { legalVersions } from '#shared/legal/legal.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import { paths } from '#shared/paths.ts'
import type { Database } from '../db/open.ts'
import type { Http, Platform } from '../feature.ts'
import type { LegalFeature } from '../legal/feature.ts'
import { sentProof } from '../secrets/form-proofs.ts'
import { networkOf } from '../http/connections/client-address.ts'
import { allowMethods } from '../http/methods.ts'
import { requestContextOf } from '../http/request-context.ts'
import { mountLinkPages } from '../shares/link-page.ts'
import type { OrderAccess } from './order-page/access.ts'
import type { OrderActions } from './actions.ts'
import type { ProductFiles } from './order-page/files.ts'
import type { DocumentFile, DocumentFiles } from './documents/document-files.ts'
import type { Pdfs } from './documents/pdf/pdfs.ts'
import { downloads } from './schema.ts'
import { isDeliverable } from './withdrawal/right.ts'
import type { Withdrawals } from './withdrawal/withdrawal.ts'

/** Orders that one address may place in ten minutes; those that are refused count, too. */
const placing = { name: 'checkout', seconds: 600, max: 600 }
/** Those of them without a form proof, so they do not use up what people behind the address need. */
const unproven = { name: 'checkout-unproven', seconds: 600, max: 300 }
/** Pages of orders, their documents and files. */
const reading = { name: 'orders', seconds: 60, max: 120 }
/** Codes and statements, which send emails. */
const writing = { name: 'order-mails', seconds: 600, max: 30 }
/** Stripe comes from few addresses, and in bulk. */
const events = { name: 'stripe', seconds: 60, max: 1200 }

/** What the routes are made from. */
type OrderRouteDeps = {
  actions: OrderActions
  access: OrderAccess
  files: ProductFiles
  withdrawals: Withdrawals
  pdfs: Pick<Pdfs, 'licences' | 'terms'>
  terms: Pick<LegalFeature['terms'], 'of'>
  documents: DocumentFiles
  logDownload: (line: number, file: string, network: string) => Promise<void>
}

/** The endpoints of checkout and orders (docs/contract.md, Orders), and what is fetched by link. */
export function orderRoutes(platform: Platform, http: Http, deps: OrderRouteDeps): void {
  serveEndpoints(http, platform, deps)
  mountLinkPages(http, {
    path: linkedPaths.orderConfirm,
    look(token) {
      const { order } = deps.actions.waiting(token)
      return {
        title: `Order ${order.number}`,
        text: 'One click, and we’ll hold these items for you and send your invoice, if they’re still available.',
        button: 'Confirm this order',
      }
    },
    async use(token) {
      const { order, isHeld } = await deps.actions.useLink(token)
      return { outcome: isHeld ? 'held' : 'staff', url: deps.actions.successUrl(order) }
    },
  })
  const router = Router({ caseSensitive: true })
  http.openPath(/^\/api\/shop\/stripe\/webhook$/)
  router.post(
    linkedPaths.stripeWebhook(),
    http.limit(events),
    express.raw({ type: () => true, limit: 512 * 1024 }),
    paymentEvent(deps),
  )
  router.all(linkedPaths.stripeWebhook(), allowMethods(['POST']))
  router.get(linkedPaths.invoicePdf(':token'), http.limit(reading), invoiceFile(deps, 'pdf'))
  for (const format of ['finvoice', 'ubl'] as const) {
    // No page of ours links there, so browsers needn't know the address.
    const path = linkedPaths.invoicePdf(':token').replace(/pdf$/, `${format}.xml`)
    router.get(path, http.limit(reading), invoiceFile(deps, format))
  }
  router.get(paths.termsPdf(':version'), http.limit(reading), termsFile(deps))
  router.get(linkedPaths.licencePdf(':token'), http.limit(reading), licenceFile(deps))
  router.get(
    linkedPaths.download(':token', ':file').replace('%3A', ':'),
    http.limit(reading),
    productDownload(platform, deps),
  )
  http.mount(router)
}

function serveEndpoints(
  { endpoints, limit }: Http,
  { formProofs }: Platform,
  { actions, withdrawals }: OrderRouteDeps,
): void {
  const plainLimit = limit(unproven)
  endpoints.serve(getCheckoutForm, { limit: 'read', access: 'public' }, (_, requestContext) =>
    actions.form(requestContext),
  )
  endpoints.serve(checkout, { limit: placing, access: 'csrf' }, async (request, requestContext) => {
    const isProven = formProofs.read(sentProof(requestContext)) !== null
    if (!isProven) await plainLimit.count(requestContext.address)
    return actions.checkout(request, requestContext)
  })
  endpoints.serve(getOrder, { limit: reading, access: 'public' }, ({ token }, requestContext) =>
    actions.view(token, requestContext),
  )
  endpoints.serve(
    openOrder,
    { limit: writing, access: 'csrf' },
    async ({ token, code }, requestContext) => ({
      success: true as const,
      opened: await actions.open(token, code, requestContext),
    }),
  )
  endpoints.serve(
    askAtOnce,
    { limit: writing, access: 'csrf' },
    async ({ token }, requestContext) => {
      await actions.askAtOnce(token, requestContext)
      return { success: true as const }
    },
  )
  endpoints.serve(withdraw, { limit: writing, access: 'csrf' }, (statement, requestContext) =>
    withdrawals.state(statement, { address: requestContext.address }),
  )
}

/** Takes an event of the payment service. */
const paymentEvent =
  ({ actions }: OrderRouteDeps): RequestHandler =>
  async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    await actions.webhook(body, request.get('stripe-signature'))
    response.setHeader('Cache-Control', 'no-store').json({ received: true })
  }

/** Sends the invoice of an order that is open to its reader. */
const invoiceFile =
  ({ actions, access, documents }: OrderRouteDeps, format: DocumentFormat): RequestHandler =>
  async (request, response) => {
    const { order, isOpen } = access.of(String(request.params.token), requestContextOf(response))
    const invoice = actions.invoiceOf(order)
    if (!invoice || !isOpen) throw failure('missing')
    sendFile(response, await documents.write(invoice, order, format))
  }

/** Sends a version of the terms of service; one from before texts were kept leads to those in force. */
const termsFile =
  ({ terms, pdfs }: OrderRouteDeps): RequestHandler =>
  async (request, response) => {
    const version = String(request.params.version)
    const text = terms.of(version)
    if (text) {
      const { filename, contentType, content } = await pdfs.terms(text)
      sendFile(response, { name: filename, contentType, content })
      return
    }
    if (!legalVersions.terms.some((each) => each.version === version)) throw failure('missing')
    response.redirect(303, paths.termsOfService())
  }

/** Sends the licences of a paid order that is open to its reader. */
const licenceFile =
  ({ actions, access, pdfs }: OrderRouteDeps): RequestHandler =>
  async (request, response) => {
    const { order, isOpen } = access.of(String(request.params.token), requestContextOf(response))
    const licences = actions.licencesOf(order)
    if (!isOpen || licences.length === 0) throw failure('missing')
    sendFile(response, {
      name: `licence-${order.number}.pdf`,
      contentType: 'application/pdf',
      content: await pdfs.licences(licences),
    })
  }

const sendFile = (response: Response, { name, contentType, content }: DocumentFile): void =>
  void response
    .setHeader('Content-Type', contentType)
    .setHeader('Content-Disposition', `inline; filename="${name}"`)
    .setHeader('Cache-Control', 'private, no-store')
    .setHeader('Referrer-Policy', 'no-referrer')
    .setHeader('X-Robots-Tag', 'noindex')
    .send(content)

/** Sends a file of a paid line, and notes that it was fetched. */
const productDownload =
  (platform: Platform, { actions, access, files, logDownload }: OrderRouteDeps): RequestHandler =>
  async (request, response) => {
    const { token, file } = request.params as { token: string; file: string }
    const found = access.readDownload(token)
    const line = found?.order.lines[found.line]
    const path = line?.files.includes(file) ? files.path(file) : null
    if (!found || !line || !path || !isDeliverable(found.order)) throw failure('missing')
    // The link of an hour ago may be of what was given back since.
    if (actions.takenBackOf(found.order).has(found.line)) throw failure('missing')
    await logDownload(line.id, file, networkOf(platform, requestContextOf(response).address))
    response.download(path, file, {
      dotfiles: 'deny',
      headers: {
        'Cache-Control': 'private, no-store',
        'X-Robots-Tag': 'noindex',
        'Referrer-Policy': 'no-referrer',
      },
    })
  }

/** Creates the function that records which file of a line was downloaded, and when. */
export function createDownloadLog(
  db: Database,
  { clock }: { clock: () => number },
): (line: number, file: string, network: string) => Promise<void> {
  const insert = downloads.insert(db)
  return (line, file, network) =>
    db.commit((tx) => void insert(tx, { line, file, at: clock(), network }))
}
