import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { CartDiscount, CartGiftCard } from '#shared/shop/shop.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { Field } from '../forms/field.tsx'
import styles from './discount-code.module.css'

type Props = {
  id: string
  /** What the cart has; undefined for none of a kind. */
  discount: CartDiscount | undefined
  card: CartGiftCard | undefined
  /** What was entered, and why it isn't valid. */
  typed: string | undefined
  error: string | undefined
}

/**
 * Where the discount code and the gift card of a cart are entered in one field, or taken off; part of a
 * form that sends `intent`.
 */
export function DiscountCode({ id, discount, card, typed, error }: Props) {
  const isOpen = !discount || !card
  const entered = `${discount?.code} ${card?.number}`
  const [first] = useState(entered)
  const last = useRef(entered)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (entered !== last.current) keepFocus(place.current)
    last.current = entered
  }, [entered])
  return (
    <div ref={place} role="group" aria-label="Codes" tabIndex={-1}>
      {/* Ahead of what is entered, so that Enter in the field takes nothing off. */}
      {isOpen && (
        <div key={entered} className={styles.entry}>
          <Field
            id={id}
            name="discount"
            label={discount ? 'Gift card' : card ? 'Discount code' : 'Discount code or gift card'}
            optional
            defaultValue={typed}
            error={error}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          <button
            name="intent"
            value="discount"
            formNoValidate
            className={`${button.button} ${button.small} ${button.quiet}`}
          >
            Apply code
          </button>
        </div>
      )}
      {discount && (
        <Entered
          key={discount.code}
          isNew={!first.startsWith(`${discount.code} `)}
          intent="discount-off"
          what={`code ${discount.code}`}
          wrong={(isOpen ? undefined : error) ?? discount.problem}
          id={isOpen ? undefined : id}
        >
          Code <strong>{discount.code}</strong>
          {discount.problem === null && `: ${euros(discount.amount)} off`}
        </Entered>
      )}
      {card && (
        <Entered
          key={card.number}
          isNew={!first.endsWith(` ${card.number}`)}
          intent="card-off"
          what={`gift card ${card.number}`}
          wrong={card.problem}
        >
          Gift card <strong>{card.number}</strong>
          {card.problem === null && `: ${euros(card.balance)} on it`}
        </Entered>
      )}
    </div>
  )
}

/** Takes the focus where what had it is gone: a code is entered and taken off in place. */
function keepFocus(element: HTMLElement | null) {
  if (document.activeElement === document.body) element?.focus()
}

/** What was entered, with the button that takes it off, and why it counts for nothing. */
function Entered({
  id,
  isNew,
  intent,
  what,
  wrong,
  children,
}: {
  id?: string | undefined
  /** Whether it was entered on this page, so that it's read out. */
  isNew: boolean
  intent: string
  what: string
  wrong: string | null
  children: ReactNode
}) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isNew) keepFocus(text.current)
  }, [isNew])
  return (
    <div className={styles.entered}>
      <p ref={text} tabIndex={-1}>
        {children}
      </p>
      <button id={id} name="intent" value={intent} formNoValidate className={styles.remove}>
        Take off<span className="unseen"> {what}</span>
      </button>
      {wrong !== null && (
        <Alert tone="bad" role="alert" className={styles.wrong}>
          {wrong}
        </Alert>
      )}
    </div>
  )
}
