/**
 * Addresses that emails, documents and other servers lead to and no code in the browser does; apart from
 * `paths`, which every visitor loads.
 */
export const linkedPaths = {
  /** The link in the email of a request that waits. */
  bookingConfirm: (token: string) => `/booking/confirm/${token}`,
  /** All bookings as a calendar, for holders of the secret address. */
  bookingFeed: (token: string) => `/booking/feed/${token}.ics`,
  /** What the crew has to know of a booking on the day. */
  bookingSheet: (token: string) => `/booking/sheet/${token}`,
  bookingSheetPdf: (token: string) => `/booking/sheet/${token}.pdf`,
  /** A file of a thing at the desk, such as an invoice of an order. */
  deskFile: (thing: string, idOrToken: string, file: string) =>
    `/desk/${thing}/${encodeURIComponent(idOrToken)}/files/${encodeURIComponent(file)}`,
  download: (token: string, file: string) => `/shop/downloads/${token}/${encodeURIComponent(file)}`,
  invoicePdf: (token: string) => `/shop/orders/${token}/invoice.pdf`,
  licencePdf: (token: string) => `/shop/orders/${token}/licence.pdf`,
  /** The link in the email of an order that waits. */
  orderConfirm: (token: string) => `/shop/orders/confirm/${token}`,
  panelFile: (code: string, id: string) => `/panel/${code}/files/${id}`,
  stripeWebhook: () => '/api/shop/stripe/webhook',
} as const
