import { useEffect, type ReactNode } from 'react'
import { useActionData, useLoaderData } from 'react-router'
import type { OrderState, OrderView } from '#shared/shop/orders.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Head } from '../../site/head/head.tsx'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Day } from '../../ui/text/day.tsx'
import { PaymentPending } from '../../ui/page/payment-pending.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import { rememberedPieces } from '../cart/cart-hint.ts'
import { CodeForm } from './code-form.tsx'
import { AtOnce, Downloads, InvoiceFacts, Licences, Next, Parcels } from './order-details.tsx'
import type { CodeOutcome, OrderData } from './order-data.ts'
import styles from './order-page.module.css'
import { OrderSummary } from '../checkout/order-summary.tsx'

/** An order as its buyer sees it: after the checkout, and by the link in the email. */
export function Component() {
  const { token, order } = useLoaderData<OrderData>()
  const outcome = useActionData<CodeOutcome>()
  useEffect(() => {
    if (!order || !isTaken(order.state)) return
    import('../checkout/checkout-draft.ts').then((draft) => draft.forgetCheckout()).catch(() => {})
    // What was ordered is out of the cart, which may have other pieces since.
    if (rememberedPieces() === null) return
    import('../cart/count-pieces.ts').then(({ countPieces }) => countPieces()).catch(() => {})
  }, [order])
  if (!order || token === null) return <Neutral />
  const { details, state, order: number } = order
  return (
    <>
      <Head title={`Order ${number}`} hidden />
      <PageHead
        label={`Order ${number}`}
        title={titleOf(order)}
        lead={leadOf(order)}
        isResult={order.details !== null}
      />
      {details ? (
        <WithAside
          label="What you ordered"
          isText
          aside={<OrderSummary cart={details} isPlaced label="What you ordered" />}
        >
          <div className={styles.main}>
            {order.waits && <OnHold waits={order.waits} />}
            {state === 'pending' && (
              <PaymentPending address={paths.checkoutSuccess(encodeURIComponent(token))} />
            )}
            {state === 'expired' && details.payment === 'stripe' && (
              <div>
                <p>
                  Still want it? The cart on the device you ordered from should still have your
                  items.
                </p>
                <p className={styles.way}>
                  <a href={paths.cart()} className={button.button}>
                    Back to the cart
                  </a>
                </p>
              </div>
            )}
            {state === 'attention' && (
              <Alert title="We’re looking into it">
                Your payment arrived after we’d released your items. We’ll email you by the next
                working day to send them later or refund you.
              </Alert>
            )}
            {details.withdrawnAt !== null && (
              <Alert title="We’ve received your withdrawal" tone="good" role="status">
                {details.withdrawn.length > 0 && (
                  <ul>
                    {details.withdrawn.map(({ title, quantity }) => (
                      <li key={title}>
                        {quantity} × {withWholeMeasures(title)}
                      </li>
                    ))}
                  </ul>
                )}
                <p>
                  Received on <Day iso={details.withdrawnAt} long />.{' '}
                  {state === 'open'
                    ? 'Please don’t pay the invoice as it stands: we’ll email you a credit note that says what’s left to pay, if anything.'
                    : 'We’ll refund what’s due within 14 days.'}
                </p>
              </Alert>
            )}
            {details.invoice && (
              <InvoiceFacts invoice={details.invoice} details={details} state={state} />
            )}
            <Parcels parcels={details.parcels} isPickup={details.pickup !== null} />
            <Downloads downloads={details.downloads} />
            {details.mayAskAtOnce && <AtOnce token={token} error={outcome?.atOnce ?? null} />}
            <Licences licences={details.licences} />
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
const isTaken = (state: OrderState) =>
  state === 'waiting' || state === 'open' || state === 'paid' || state === 'shipped'

const titles: Readonly<Record<OrderState, string>> = {
  waiting: 'Your order is on hold',
  pending: 'Waiting for your payment',
  open: 'Thank you for your order',
  paid: 'Payment received, thank you',
  shipped: 'Shipped',
  cancelled: 'This order is cancelled',
  refunded: 'Refund on its way',
  expired: 'Payment window expired',
  attention: 'Payment received, thank you',
}

function titleOf(order: OrderView): string {
  const { state, details } = order
  if (state === 'refunded' && isByGiftCard(order)) return 'Refunded'
  if (state === 'paid' && details && details.parcels.length > 0) {
    return details.pickup ? 'Partly picked up' : 'Part of your order is on its way'
  }
  return state === 'shipped' && details?.pickup ? 'Picked up' : titles[state]
}

/** Whether a gift card has paid all of an order. */
const isByGiftCard = ({ details }: OrderView): boolean =>
  details?.giftCard !== undefined && details.giftCard.amount === details.total

function leadOf(order: OrderView): ReactNode {
  const { state, waits, details } = order
  if (state === 'waiting') {
    return waits?.for === 'link'
      ? 'One more step: open the link we’ve emailed you, and we’ll hold these items for you and send your invoice.'
      : 'There are several unpaid orders from you or your network, so we’ll look at this one first.'
  }
  const card = details?.giftCard
  if (state === 'expired') {
    return `We didn’t receive payment in time, so your items were released. ${card ? `${euros(card.amount)} is back on your gift card.` : 'You haven’t been charged.'}`
  }
  if (state === 'cancelled') {
    return `There’s nothing to pay. ${card ? 'What your gift card paid is back on it; anything else you paid' : 'Anything you paid'} is refunded.`
  }
  if (state === 'pending') return 'We’ll hold your items for 30 minutes.'
  if (state === 'attention') return 'We’ll email you about it by the next working day.'
  if (state === 'refunded') {
    if (isByGiftCard(order)) return 'What you paid is back on your gift card.'
    return `It goes back to the card or account you paid from. It can take a few days to show up.${card ? ' What your gift card paid is back on it.' : ''}`
  }
  if (details && details.parcels.length > 0) return <WhenSent details={details} />
  return details
    ? `We’ve emailed the confirmation with terms and invoice to ${details.email}.`
    : `${state === 'open' ? 'The invoice is still to be paid. ' : ''}For your privacy, this page shows full details for a day after the order.`
}

/** When what has left did so, or was picked up. */
function WhenSent({
  details: { parcels, pickup, isLeft },
}: {
  details: NonNullable<OrderView['details']>
}) {
  const isOne = parcels.length === 1
  const day = <Day iso={parcels.at(-1)!.sentAt} long />
  if (pickup) {
    return isLeft ? <>You last picked up some of it on {day}.</> : <>You picked it up on {day}.</>
  }
  return isLeft ? (
    <>
      {isOne ? 'A parcel' : 'The last parcel'} left us on {day}. The rest follows.
    </>
  ) : (
    <>
      {isOne ? 'Your parcel' : 'The last of your parcels'} left us on {day}.
    </>
  )
}

/** What an order waits for that holds nothing yet. */
const OnHold = ({ waits }: { waits: NonNullable<OrderView['waits']> }) => (
  <Alert title="Nothing is reserved or charged yet" role="status">
    <p>
      {waits.for === 'link'
        ? `The link works until ${officeTime(Date.parse(waits.until))}. No email? Check your spam folder, or contact us.`
        : `You’ll hear from us by ${officeTime(Date.parse(waits.until))}. If you don’t, the order lapses and there’s nothing to pay.`}
    </p>
  </Alert>
)

const Neutral = () => (
  <>
    <Head title="Your order" hidden />
    <PageHead
      label={<a href={paths.shop()}>Shop</a>}
      title="Your order"
      lead="Open your order with the link in your confirmation email."
    />
    <EmptyState title="Looking for an order?">
      <p>Open it with the link in your email. Can’t find it? Write to us.</p>
      <p className={styles.ways}>
        <a href={paths.shop()} className={button.button}>
          Go to shop
        </a>
        <a href={paths.contact()} data-contact="My order" className={button.arrow}>
          <span>Contact us</span> <ArrowIcon />
        </a>
      </p>
    </EmptyState>
  </>
)
