import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { BookingDocumentView } from '#shared/bookings.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { Alert } from '../ui/alert.tsx'

/** The first pause before the page looks again; each one is half as long again as the one before. */
const firstPauseMs = 2_000
const maxLooks = 12

/** What a payer sees who comes back from the payment service: whether the money is here. */
export function Returned({ token, document }: { token: string; document: BookingDocumentView }) {
  const { order, state, total, open, invoice } = document
  if (state === 'paid' || (state === 'open' && open === 0)) {
    return (
      <Alert title="Thank you, your payment has arrived" tone="good" role="status">
        <p>
          {euros(total)} for invoice {invoice}. We’ve emailed you a receipt.
        </p>
      </Alert>
    )
  }
  return state === 'open' ? <Waiting address={paths.bookingPaid(token, order)} /> : null
}

/** While the payment service hasn't told how it went; the page looks again by itself. */
function Waiting({ address }: { address: string }) {
  const { revalidate } = useRevalidator()
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    if (looks === maxLooks) return undefined
    const timer = setTimeout(
      () => {
        setLooks(looks + 1)
        void revalidate()
      },
      firstPauseMs * 1.5 ** looks,
    )
    return () => clearTimeout(timer)
  }, [looks, revalidate])
  return (
    <Alert title="Your payment isn’t confirmed yet" role="status">
      <noscript>
        <meta httpEquiv="refresh" content="5" />
      </noscript>
      <p>
        This can take a minute. Already paid? Don’t pay again; this page refreshes itself. Changed
        your mind? Nothing was charged.
      </p>
      <p>
        <a href={address}>Look again</a>
      </p>
    </Alert>
  )
}
