import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, useActionData, useLoaderData, useNavigation, useSubmit } from 'react-router'
import { cartItems, cartLicences } from '#shared/shop/cart-items.ts'
import type { BuyerEntries } from '#shared/shop/orders.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import type { FieldErrors } from '#shared/forms/form.ts'
import { Head } from '../../site/head/head.tsx'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { resultPlace } from '../../forms/result.ts'
import { RobotCheck } from '../../forms/robot-check.tsx'
import { Steps } from '../../ui/lists/steps.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import { Buyer } from './checkout-buyer.tsx'
import type { CheckoutAnswer, CheckoutData, Placed } from './checkout-data.ts'
import styles from './checkout-page.module.css'
import { Consents, PaidByCard, Payment } from './checkout-payment.tsx'
import { DiscountCode } from '../discount-code.tsx'
import { OrderSummary } from './order-summary.tsx'
import { PriceChanges } from '../cart/price-changes.tsx'
import { useRememberedPieces } from '../cart/cart-hint.ts'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import { Facts } from '../../ui/lists/facts.tsx'

/** The checkout: everything on one page; only the last button is binding. */
export function Component() {
  const loaded = useLoaderData<CheckoutData>()
  const refusal = useLastRefusal()
  const cart = refusal?.quote ?? loaded.cart
  useRememberedPieces(cart.lines)
  if (refusal?.placed) {
    return (
      <>
        <Head title="Checkout" hidden />
        <PageHead label={<a href={paths.shop()}>Shop</a>} title="Checkout" isResult />
        <AlreadyOrdered placed={refusal.placed} message={refusal.message ?? ''} />
      </>
    )
  }
  return (
    <>
      <Head title="Checkout" hidden />
      <PageHead
        label={<a href={paths.cart()}>Back to the cart</a>}
        title="Checkout"
        lead="One page, no account. Nothing is final until you click Order and pay."
      />
      <div className={`wrap ${styles.steps}`}>
        <Steps
          label="Your order"
          steps={[
            { title: 'Cart', href: paths.cart() },
            { title: 'Your details' },
            { title: 'Done' },
          ]}
          current={1}
        />
      </div>
      <WithAside
        label="Your order"
        isText
        aside={
          <div className={styles.beside}>
            <OrderSummary cart={cart} reverseCharge={refusal?.quote?.reverseCharge ?? false} />
            <DeliveryTimes delivery={loaded.form.delivery} />
          </div>
        }
      >
        <CheckoutForm loaded={loaded} refusal={refusal} />
      </WithAside>
    </>
  )
}

/**
 * What the checkout was last refused with, or priced again. The router forgets it when a link of the
 * error summary is followed, but the price for the buyer's country has to stay the one that is sent.
 */
function useLastRefusal(): CheckoutAnswer | undefined {
  const answered = useActionData<CheckoutAnswer>()
  const [last, setLast] = useState(answered)
  if (answered && answered !== last) setLast(answered)
  return answered ?? last
}

type Props = { loaded: CheckoutData; refusal: CheckoutAnswer | undefined }

function CheckoutForm({ loaded: { cart: first, form, sum, key }, refusal }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const { state, formData } = useNavigation()
  const refresh = useQuote(element)
  useDraft(element, { isRefused: refusal !== undefined, reprice: refresh })
  const { entries = {}, errors = {}, quote = null } = refusal ?? {}
  const cart = quote ?? first
  const isOrdering = state !== 'idle' && !formData?.has('intent')
  return (
    <Form
      ref={element}
      method="post"
      action={toResult(paths.checkout())}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        // Ignores a second click while the first is in flight; one during repricing replaces it.
        if (isOrdering) event.preventDefault()
      }}
    >
      <ErrorSummary
        form="checkout"
        // Who is still typing keeps the focus: the field itself says what is wrong.
        errors={refusal?.isOnTheWay ? {} : inOrder(errors)}
      />
      {refusal && <Refused refusal={refusal} />}
      {refusal?.change && (
        <Alert title="Your order has changed" role="status">
          <p>{refusal.change}</p>
        </Alert>
      )}
      <PriceChanges
        lines={cart.lines}
        changes={[...first.changes, ...(quote?.changes ?? [])]}
        gone={[...(first.gone ?? []), ...(quote?.gone ?? [])]}
      />
      <input type="hidden" name="key" value={refusal?.isKeySpent ? key : (entries.key ?? key)} />
      <input type="hidden" name="expectedTotal" value={cart.total} />
      <input type="hidden" name="expectedGiftCard" value={cart.giftCard?.amount ?? 0} />
      <input type="hidden" name="expectedLines" value={cartItems(cart.lines)} />
      <input type="hidden" name="expectedLicences" value={cartLicences(cart.lines)} />
      <Buyer form={form} entries={entries} errors={errors} onQuote={refresh} />
      {cart.giftCard?.amount === cart.total ? (
        <PaidByCard number={cart.giftCard.number} />
      ) : (
        <Payment form={form} entries={entries} errors={errors} />
      )}
      <RobotCheck
        id="checkout-captcha"
        sum={sum}
        entries={entries}
        error={errors.captcha}
        optional
        hint="Spam check. If you skip it we’ll review your order by hand, which can take a day."
      />
      <Consents form={form} entries={entries} errors={errors} />
      <DiscountCode
        id="checkout-discount"
        discount={cart.discount}
        card={cart.giftCard}
        typed={entries.discount}
        error={errors.discount}
      />
      {/* Where there is no room beside the form, the order stands right above its button. */}
      <div className={styles.above}>
        <OrderSummary cart={cart} reverseCharge={quote?.reverseCharge ?? false} />
        <DeliveryTimes delivery={form.delivery} />
      </div>
      <div className={styles.end}>
        <button className={button.button} aria-disabled={isOrdering || undefined}>
          {isOrdering ? 'One moment …' : 'Order and pay'}
        </button>
        <p>
          Placing this order means you agree to pay. We’ll email your confirmation, terms and
          invoice.
        </p>
      </div>
    </Form>
  )
}

/** The fields from top to bottom; as an object, so the types cover them all. */
const fieldOrder = Object.keys({
  email: 0,
  name: 0,
  delivery: 0,
  street: 0,
  street2: 0,
  postcode: 0,
  city: 0,
  state: 0,
  country: 0,
  phone: 0,
  company: 0,
  vatId: 0,
  payment: 0,
  captcha: 0,
  digitalWaiver: 0,
  beginEarly: 0,
  terms: 0,
  discount: 0,
} satisfies Record<
  | Exclude<keyof BuyerEntries, 'region'>
  | 'state'
  | 'delivery'
  | 'payment'
  | 'captcha'
  | 'digitalWaiver'
  | 'beginEarly'
  | 'terms'
  | 'discount',
  0
>)

/** What is wrong, by field from top to bottom. */
const inOrder = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).toSorted(([a], [b]) => fieldOrder.indexOf(a) - fieldOrder.indexOf(b)),
  )

/** Said with every refusal, some of which say it themselves. */
const entriesKept = 'Your entries are still here.'

/** Why the order was refused; takes the focus each time. */
function Refused({ refusal: { message, isKeySpent } }: { refusal: CheckoutAnswer }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (message) box.current?.focus()
  }, [message])
  if (!message) return null
  return (
    <div ref={box} {...resultPlace} className={styles.refused}>
      <Alert tone="bad" role="alert" title="Your order wasn’t placed">
        <p>
          {message}
          {isKeySpent && ' Please check your order and try again.'}
          {!message.includes(entriesKept) && ` ${entriesKept}`}
        </p>
      </Alert>
    </div>
  )
}

/** Reprices the order when what its price depends on changes; without scripts a button does. */
function useQuote(form: React.RefObject<HTMLFormElement | null>) {
  const submit = useSubmit()
  return () => {
    if (!form.current) return
    const entries = new FormData(form.current)
    entries.set('intent', 'reprice')
    void submit(entries, {
      method: 'post',
      action: paths.checkout(),
      preventScrollReset: true,
      replace: true,
    })
  }
}

/** Keeps what is entered while the buyer is at the payment page; that code is of no use before. */
function useDraft(
  form: React.RefObject<HTMLFormElement | null>,
  options: { isRefused: boolean; reprice: () => void },
) {
  const begin = useEffectEvent(async (isOver: () => boolean) => {
    const { keepCheckout } = await import('./checkout-draft.ts')
    return form.current && !isOver() ? keepCheckout(form.current, options) : null
  })
  useEffect(() => {
    let isOver = false
    // Without it the form works all the same.
    const kept = begin(() => isOver).catch(() => null)
    return () => {
      isOver = true
      void kept.then((stop) => stop?.())
    }
  }, [])
}

/** The order of a cart submitted twice, as from a second tab: nothing was ordered again. */
const AlreadyOrdered = ({
  placed: { order, href },
  message,
}: {
  placed: Placed
  message: string
}) => (
  <div role="alert">
    <EmptyState title="You’ve already ordered this">
      <p>{message}</p>
      <a href={href} className={button.button}>
        See order {order}
      </a>
      <a href={paths.shop()} className={button.arrow}>
        <span>Go to shop</span> <ArrowIcon />
      </a>
    </EmptyState>
  </div>
)

/** When each line is delivered; lines of the same time share it. */
function DeliveryTimes({ delivery }: { delivery: readonly { title: string; words: string }[] }) {
  if (delivery.length === 0) return null
  const times = [...Map.groupBy(delivery, ({ words }) => words)]
  return (
    <div className={styles.times}>
      <p className="label">Delivery time</p>
      <Facts
        look="stacked"
        facts={times.map(([words, lines]) => [lines.map(({ title }) => title).join(', '), words])}
      />
    </div>
  )
}
