import { useEffect, useRef } from 'react'
import { Form, useActionData, useLoaderData, useNavigation, useSubmit } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Head } from '../site/head.tsx'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { RobotCheck } from '../ui/robot-check.tsx'
import { Steps } from '../ui/steps.tsx'
import { WithAside } from '../ui/with-aside.tsx'
import { AlreadyOrdered } from './already-ordered.tsx'
import type { CheckoutRefusal } from './checkout-action.ts'
import { Buyer } from './checkout-buyer.tsx'
import type { CheckoutData } from './checkout-loader.ts'
import styles from './checkout-page.module.css'
import { Consents, Payment } from './checkout-payment.tsx'
import { OrderSummary } from './order-summary.tsx'
import { PriceChanges } from './price-changes.tsx'
import { useRememberedPieces } from './use-remembered-pieces.ts'

/** The checkout: everything on one page, binding with its last button alone. */
export function Component() {
  const loaded = useLoaderData<CheckoutData>()
  const refusal = useActionData<CheckoutRefusal>()
  const cart = refusal?.quote ?? loaded.cart
  useRememberedPieces(cart.lines)
  if (refusal?.placed) {
    return (
      <>
        <Head title="Checkout" hidden />
        <PageHead label={<a href={paths.shop()}>Shop</a>} title="Checkout" />
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
        lead="No account, one page. Nothing is binding before you press the button at its end."
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
        aside={
          <div className={styles.beside}>
            <OrderSummary cart={cart} reverseCharge={refusal?.quote?.reverseCharge ?? false} />
          </div>
        }
      >
        <CheckoutForm loaded={loaded} refusal={refusal} />
      </WithAside>
    </>
  )
}

type Props = { loaded: CheckoutData; refusal: CheckoutRefusal | undefined }

function CheckoutForm({ loaded: { cart: first, form, sum, key }, refusal }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const { state, formData } = useNavigation()
  const refresh = useQuote(element)
  const { entries = {}, errors = {}, quote = null } = refusal ?? {}
  const cart = quote ?? first
  const isOrdering = state !== 'idle' && formData?.get('intent') !== 'quote'
  return (
    <Form
      ref={element}
      method="post"
      action={paths.checkout()}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        // A second press while the first is on its way; one during a new total takes its place.
        if (isOrdering) event.preventDefault()
      }}
    >
      <ErrorSummary
        errors={Object.entries(errors)
          .toSorted(([a], [b]) => fieldOrder.indexOf(a) - fieldOrder.indexOf(b))
          .map(([field, message]) => ({ id: `checkout-${field}`, message }))}
      />
      {refusal && <Refused refusal={refusal} />}
      <PriceChanges
        lines={cart.lines}
        changes={[...first.changes, ...(quote?.changes ?? [])]}
        gone={[...(first.gone ?? []), ...(quote?.gone ?? [])]}
      />
      <input type="hidden" name="key" value={refusal?.isKeySpent ? key : (entries.key ?? key)} />
      <input type="hidden" name="expectedTotal" value={cart.total} />
      <Buyer form={form} entries={entries} errors={errors} onQuote={refresh} />
      <Payment form={form} entries={entries} errors={errors} />
      <RobotCheck
        id="checkout-captcha"
        sum={sum}
        entries={entries}
        error={errors.captcha}
        optional
        hint="This tells people from robots. Without an answer we look at an order by invoice before it leaves, which may take a day longer."
      />
      <Consents form={form} entries={entries} errors={errors} />
      {/* Where there is no room beside the form, the order stands right above its button. */}
      <div className={styles.above}>
        <OrderSummary cart={cart} reverseCharge={quote?.reverseCharge ?? false} />
      </div>
      <div className={styles.end}>
        <button className={button.button} aria-disabled={isOrdering || undefined}>
          {isOrdering ? 'One moment …' : 'Order and pay'}
        </button>
        <p>
          With this button you place an order with an obligation to pay. You get a confirmation with
          the terms and the invoice by mail.
        </p>
      </div>
    </Form>
  )
}

/** The fields from top to bottom. */
const fieldOrder: readonly string[] = [
  'email',
  'name',
  'street',
  'postcode',
  'city',
  'country',
  'company',
  'vatId',
  'payment',
  'captcha',
  'digitalWaiver',
  'terms',
]

/** Why the order was refused; takes the focus each time it is said. */
function Refused({ refusal: { message } }: { refusal: CheckoutRefusal }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (message) box.current?.focus()
  }, [message])
  if (!message) return null
  return (
    <div ref={box} tabIndex={-1} className={styles.refused}>
      <Alert tone="bad" role="alert" title="Your order was not placed">
        <p>{message} What you entered is kept; please look at your order and try again.</p>
      </Alert>
    </div>
  )
}

/** Prices the order again when the country or the VAT id changes; without scripts a button does. */
function useQuote(form: React.RefObject<HTMLFormElement | null>) {
  const submit = useSubmit()
  return () => {
    if (!form.current) return
    const entries = new FormData(form.current)
    entries.set('intent', 'quote')
    void submit(entries, {
      method: 'post',
      action: paths.checkout(),
      preventScrollReset: true,
      replace: true,
    })
  }
}
