import { useEffect, useState } from 'react'
import { useLoaderData, useRevalidator } from 'react-router'
import type { OrderState, OrderView } from '#shared/orders.ts'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { EmptyState } from '../ui/empty-state.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import { rememberedPieces, rememberPieces } from './cart-hint.ts'
import { CodeForm } from './code-form.tsx'
import { Downloads, InvoiceFacts, Next } from './order-details.tsx'
import type { OrderData } from './order-loader.ts'
import styles from './order-page.module.css'
import { OrderSummary } from './order-summary.tsx'

/** An order as its buyer sees it: after the checkout, and by the link in the mail. */
export function Component() {
  const { token, order } = useLoaderData<OrderData>()
  useEffect(() => {
    // What was ordered is out of the cart.
    if (order && isTaken(order.state) && rememberedPieces() !== null) rememberPieces(0)
  }, [order])
  if (!order || token === null) return <Neutral />
  const { details, state, order: number } = order
  return (
    <>
      <Head title={`Order ${number}`} hidden />
      <PageHead label={`Order ${number}`} title={titles[state]} lead={leadOf(order)} />
      {details ? (
        <WithAside
          label="What you ordered"
          aside={<OrderSummary cart={details} label="What you ordered" />}
        >
          <div className={styles.main}>
            {state === 'pending' && <Pending token={token} />}
            {state === 'attention' && (
              <Alert title="We look into it">
                Your payment came when this order could not be filled any more. We write to you by
                the next working day, and send the pieces later or pay the money back.
              </Alert>
            )}
            {details.invoice && (
              <InvoiceFacts invoice={details.invoice} details={details} state={state} />
            )}
            <Downloads downloads={details.downloads} />
            <Next details={details} state={state} number={number} />
          </div>
        </WithAside>
      ) : (
        <CodeForm token={token} />
      )}
    </>
  )
}

/** Whether an order has emptied its cart. */
const isTaken = (state: OrderState) => state === 'open' || state === 'paid' || state === 'shipped'

const titles: Readonly<Record<OrderState, string>> = {
  pending: 'Waiting for your payment',
  open: 'Thank you for your order',
  paid: 'Thank you, it is paid',
  shipped: 'It is on its way',
  cancelled: 'This order is cancelled',
  refunded: 'The money is on its way back',
  expired: 'The time for payment is over',
  attention: 'Thank you, your payment is here',
}

function leadOf({ state, details }: OrderView): string {
  if (state === 'expired') {
    return 'No payment came in time, so the pieces are free again and nothing was charged.'
  }
  if (state === 'cancelled') return 'You owe nothing. What you had paid is paid back.'
  if (state === 'pending') return 'Your pieces are kept for 30 minutes.'
  if (state === 'attention') return 'We write to you about it by the next working day.'
  if (state === 'refunded') {
    return 'It comes back the way you paid. Depending on your bank, that takes a few days.'
  }
  return details
    ? `The confirmation with terms and invoice is on its way to ${details.email}.`
    : `${state === 'open' ? 'Its invoice is still to be paid. ' : ''}For your privacy, this page shows the details for a day after the order.`
}

/**
 * How soon the page looks again by itself, and how often: each pause is half as long again as the one
 * before, and the last is over when the pieces are free again.
 */
const firstPauseMs = 5_000
const mostLooks = 13

/** While the payment service has not told how it went. */
function Pending({ token }: { token: string }) {
  const { revalidate, state } = useRevalidator()
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    if (looks === mostLooks) return undefined
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
    <Alert title="The payment is not confirmed yet" role="status">
      <p>
        That can take a minute, also when you have paid already: never pay a second time. This page
        looks again by itself.
      </p>
      <p className={styles.way}>
        <a
          href={paths.checkoutSuccess(encodeURIComponent(token))}
          className={`${button.button} ${button.small}`}
          aria-disabled={state !== 'idle' || undefined}
        >
          Look again
        </a>
      </p>
    </Alert>
  )
}

const Neutral = () => (
  <>
    <Head title="Your order" hidden />
    <PageHead
      label={<a href={paths.shop()}>Shop</a>}
      title="Your order"
      lead="An order is shown to whoever has its link, which stands in the confirmation mail."
    />
    <EmptyState title="Looking for an order?">
      <p>Open it by the link in your mail. If you cannot find that, write to us.</p>
      <p className={styles.ways}>
        <a href={paths.shop()} className={button.button}>
          To the shop
        </a>
        <a href={paths.contact()} data-contact="My order" className={button.arrow}>
          <span>Contact us</span> <ArrowIcon />
        </a>
      </p>
    </EmptyState>
  </>
)
