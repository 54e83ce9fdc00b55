import { useState } from 'react'
import { Form, useActionData, useNavigation } from 'react-router'
import { paths } from '#shared/paths.ts'
import type { VariantView } from '#shared/shop.ts'
import { shopLimits } from '#shared/shop-limits.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../ui/alert.tsx'
import button from '../ui/button.module.css'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { QuantityInput } from '../ui/quantity-input.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import styles from './buy-form.module.css'
import type { ProductRefusal } from './product-action.ts'
import type { ProductData } from './product-loader.ts'
import { ShownPrice } from './shown-price.tsx'

/** Chooses a variant and how many of it, and puts them into the cart. */
export function BuyForm({ product }: { product: ProductData }) {
  const { variants, kind, isNet, soldOutNote, handle } = product
  const refusal = useActionData<ProductRefusal>()
  const { state, formAction } = useNavigation()
  const [chosen, setChosen] = useState(refusal?.entries.variant || product.chosen)
  const picked = variants.find(({ variant }) => variant === chosen) ?? variants[0]
  if (!picked) return null
  const busy = state !== 'idle' && formAction !== undefined
  const most = Math.min(shopLimits.quantityMost, picked.stock ?? shopLimits.quantityMost)
  return (
    <Form method="post" action={paths.product(handle)} className={styles.form}>
      <Refusal refusal={refusal} />
      <p className={styles.price}>
        <ShownPrice price={picked.price} isNet={isNet} long isSent={kind === 'physical'} />
      </p>
      <Variants
        product={product}
        picked={picked}
        error={refusal?.errors.variant}
        onChoose={setChosen}
      />
      {soldOutNote === null ? (
        <div className={styles.row} id="buy-quantity">
          <QuantityInput
            label="Quantity"
            name="quantity"
            least={1}
            most={Math.max(1, most)}
            defaultValue={1}
          />
          <button className={button.button} aria-disabled={busy || undefined}>
            {busy ? 'Adding …' : 'Add to cart'}
          </button>
        </div>
      ) : (
        <Alert title="Sold out">{soldOutNote}</Alert>
      )}
    </Form>
  )
}

/** Says why nothing was put into the cart. */
function Refusal({ refusal }: { refusal: ProductRefusal | undefined }) {
  const errors = Object.entries(refusal?.errors ?? {})
  return (
    <>
      <ErrorSummary
        title="This is not in your cart yet"
        errors={errors.map(([field, message]) => ({ id: `buy-${field}`, message }))}
      />
      {refusal?.message && errors.length === 0 && (
        <Alert tone="bad" role="alert">
          {refusal.message}
        </Alert>
      )}
    </>
  )
}

/** The choice among variants; of a single one, how many there are. */
function Variants({
  product: { variants, kind, isNet, soldOutNote },
  picked,
  error,
  onChoose,
}: {
  product: ProductData
  picked: VariantView
  error: string | undefined
  onChoose: (variant: string) => void
}) {
  const isSent = kind === 'physical'
  if (variants.length > 1) {
    return (
      <RadioCards
        legend="Choose"
        name="variant"
        id="buy-variant"
        required
        defaultValue={picked.variant}
        error={error}
        onChange={onChoose}
        options={variants.map((each) => ({
          value: each.variant,
          label: each.title,
          detail: stockOf(each, isSent),
          aside: euros(isNet ? each.price.net : each.price.gross),
          disabled: each.soldOut,
        }))}
      />
    )
  }
  return (
    <>
      <input type="hidden" name="variant" value={picked.variant} />
      {soldOutNote === null && (
        <p id="buy-variant" className={styles.stock}>
          {stockOf(picked, isSent)}
        </p>
      )}
    </>
  )
}

/** How many are left, as far as that matters for a decision. */
function stockOf({ stock, soldOut }: VariantView, isSent: boolean): string {
  if (soldOut) return 'Sold out'
  if (stock !== null && stock <= 5) return stock === 1 ? 'Only 1 left' : `Only ${stock} left`
  return isSent ? 'In stock' : 'Available now'
}
