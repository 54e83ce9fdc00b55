import { useEffect, useRef } from 'react'
import { Form, useActionData, useLoaderData } from 'react-router'
import { euros } from '#shared/money.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { withWholeMeasures } from '#shared/text/measures.ts'
import { Head } from '../../site/head/head.tsx'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import type { CartOutcome } from './cart-data.ts'
import { lineId, savedCart } from './cart-address.ts'
import { CartLineRow } from './cart-line.tsx'
import type { CartData } from './cart-data.ts'
import styles from './cart-page.module.css'
import { PriceChanges } from './price-changes.tsx'
import { DiscountCode } from '../discount-code.tsx'
import { Totals } from '../totals.tsx'
import { useRememberedPieces } from './cart-hint.ts'

/** The visitor's cart, priced at this moment. */
export function Component() {
  const { cart, added, wasThere, saved, taken, isUnkept, isGone, isUnordered, changed } =
    useLoaderData<CartData>()
  const outcome = useActionData<CartOutcome>()
  const { lines } = cart
  useRememberedPieces(lines)
  const status = useFocusWhereLinesGo(lines.length)
  const came =
    taken && taken.taken > 0 && lines.length > 0 ? 'The saved cart is in your cart.' : null
  const done = outcome
    ? outcome.done
    : (came ??
      (added && `${wasThere ? 'Already in your cart' : 'Added'}: ${withWholeMeasures(added)}`))
  return (
    <>
      <Head title="Your cart" hidden />
      <PageHead
        label={<a href={paths.shop()}>Shop</a>}
        title="Your cart"
        isResult
        lead={
          lines.length > 0
            ? 'Prices include VAT. Nothing is reserved or binding before you order.'
            : undefined
        }
      />
      <div className={`wrap ${styles.said}`}>
        <div ref={status} role="status" tabIndex={-1}>
          {done && (
            <Alert tone="good" className={outcome?.isKept ? styles.seen : undefined}>
              {done}
            </Alert>
          )}
        </div>
        {isUnordered && !outcome && (
          <Alert tone="bad" role="alert">
            Nothing was ordered: your cart has been emptied since, perhaps in another tab.
          </Alert>
        )}
        {isUnkept && !outcome && (
          <Alert>
            Added something and don’t see it? The cart needs a cookie, so please allow cookies for
            this site.
          </Alert>
        )}
        {taken && taken.left > 0 && !outcome && (
          <Alert tone="bad">
            {taken.left === 1 ? 'One item isn’t' : `${taken.left} items aren’t`} available any more.
          </Alert>
        )}
        {taken && taken.fewer > 0 && !outcome && (
          <Alert tone="bad">
            {taken.fewer === 1 ? 'One item is' : `${taken.fewer} items are`} down to fewer pieces
            than were saved: all that are left are in your cart.
          </Alert>
        )}
        <PriceChanges
          lines={lines}
          changes={[...cart.changes, ...(outcome?.changes ?? [])]}
          gone={cart.gone}
          isGone={isGone}
          changed={changed}
        />
        {outcome?.wrong && !lines.some((line) => lineId(line) === outcome.wrong?.line) && (
          <Alert tone="bad" role="alert">
            {outcome.wrong.message}
          </Alert>
        )}
      </div>
      {saved && <Saved saved={saved} />}
      {lines.length > 0 ? <Filled cart={cart} outcome={outcome} /> : !saved && <Empty />}
    </>
  )
}

/** Moves the focus to the announcement when the focused line disappears. */
function useFocusWhereLinesGo(count: number) {
  const status = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) status.current?.focus()
    before.current = count
  }, [count])
  return status
}

function Filled({ cart, outcome }: { cart: CartData['cart']; outcome: CartOutcome | undefined }) {
  const isSent = cart.shipping > 0
  return (
    <WithAside
      label="Summary"
      aside={
        <>
          <p className="label">Summary</p>
          <Totals sums={cart} isSent={isSent} />
          {isSent && (
            <p className={styles.note}>
              Delivery within Finland, or pick it up free of charge.{' '}
              <a href={paths.delivery()}>Other countries and costs</a>
            </p>
          )}
          <Form
            id="code"
            method="post"
            action={`${paths.cart()}#code`}
            replace
            preventScrollReset
            noValidate
          >
            <DiscountCode
              id="cart-discount"
              discount={cart.discount}
              card={cart.giftCard}
              typed={outcome?.code?.typed}
              error={outcome?.code?.problem}
            />
          </Form>
          <a href={paths.checkout()} className={button.button}>
            Checkout <ArrowIcon />
          </a>
          <p className={styles.note}>
            No account needed. Pay by bank transfer or, where it’s offered, by card. 14-day returns
            for consumers.
          </p>
        </>
      }
    >
      <ul className={styles.lines} aria-label="Products in your cart">
        {cart.lines.map((line) => (
          <li key={lineId(line)}>
            <CartLineRow
              line={line}
              wrong={outcome?.wrong?.line === lineId(line) ? outcome.wrong.message : undefined}
            />
          </li>
        ))}
      </ul>
      <a href={paths.shop()} className={button.arrow}>
        <span>Continue shopping</span> <ArrowIcon />
      </a>
      <p className={styles.note}>
        Not today? <a href={savedCart(cart.lines)}>Save or share this cart</a> as a link: it opens
        with today’s prices, on any device.
      </p>
    </WithAside>
  )
}

/**
 * The offer of a saved cart: nothing changes until the button is clicked. The form has the offer in its address,
 * so that it's there again where it was refused or no answer came.
 */
function Saved({ saved: { items, lines, missing } }: { saved: NonNullable<CartData['saved']> }) {
  return (
    <section className={`wrap ${styles.saved}`} aria-labelledby="saved-title">
      <h2 id="saved-title">A saved cart</h2>
      {lines.length > 0 && (
        <ul>
          {lines.map(({ title, quantity, isFewer, total, ...line }) => (
            <li key={lineId(line)}>
              <span>
                {quantity} × {withWholeMeasures(title)}
                {isFewer && <> (only {quantity} left)</>}
              </span>
              <strong>{euros(total)}</strong>
            </li>
          ))}
        </ul>
      )}
      {missing > 0 && (
        <p className={styles.note}>
          {missing === 1 ? 'One item isn’t' : `${missing} items aren’t`} available any more.
        </p>
      )}
      {lines.length > 0 && (
        <Form
          method="post"
          action={toResult(`${paths.cart()}?${new URLSearchParams({ items }).toString()}`)}
        >
          <input type="hidden" name="items" value={items} />
          <button className={button.button}>Put these in my cart</button>
        </Form>
      )}
      <p className={styles.note}>
        Bookmark this page or send it on. Nothing is reserved, and prices may change.
      </p>
    </section>
  )
}

const Empty = () => (
  <EmptyState title="Your cart is empty">
    <p>Items stay in your cart for 30 days.</p>
    <a href={paths.shop()} className={button.button}>
      Go to shop
    </a>
  </EmptyState>
)
