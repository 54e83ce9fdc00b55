import { Form, useActionData, useNavigation } from 'react-router'
import { withDotsBehind } from '#shared/text/measures.ts'
import { paths } from '#shared/paths.ts'
import { toResult } from '#shared/forms/result.ts'
import { shopLimits } from '#shared/shop/limits.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../../ui/alert.tsx'
import button from '../../ui/button.module.css'
import { FormProblems } from '../../forms/error-summary.tsx'
import type { FormAnswer } from '../../forms/form-action.ts'
import { QuantityInput } from '../../forms/quantity-input.tsx'
import { RadioCards } from '../../forms/radio-cards.tsx'
import styles from './buy-form.module.css'
import type { ProductData } from './product-data.ts'
import { ShownPrice } from '../shown-price.tsx'
import { stockAlertPaths } from '#shared/shop/stock-alerts.ts'

/** Chooses a variant and how many of it, and puts them into the cart. */
export function BuyForm({
  product,
  chosen,
  onChoose,
}: {
  product: ProductData
  chosen: string | null
  onChoose: (variant: string) => void
}) {
  const { variants, kind, isNet, soldOutNote, handle } = product
  const refusal = useActionData<FormAnswer>()
  const { state, formAction } = useNavigation()
  const picked = variants.find(({ variant }) => variant === chosen) ?? variants[0]
  if (!picked) return null
  const busy = state !== 'idle' && formAction !== undefined
  const max = Math.min(shopLimits.maxQuantity, picked.stock ?? shopLimits.maxQuantity)
  return (
    <Form method="post" action={toResult(paths.product(handle))} className={styles.form}>
      <FormProblems title="Couldn’t add to cart" form="buy" answer={refusal} />
      {refusal?.entries.held !== undefined && (
        <input type="hidden" name="held" value={refusal.entries.held} />
      )}
      <p className={styles.price}>
        <ShownPrice price={picked.price} isNet={isNet} long isSent={kind === 'physical'} />
      </p>
      <Variants
        product={product}
        picked={picked}
        error={refusal?.errors.variant}
        onChoose={onChoose}
      />
      {picked.volume && (
        <ul className={styles.stock} aria-label="Volume prices">
          {picked.volume.map(({ from, price }) => (
            <li key={from}>
              {from} or more <strong>{euros(isNet ? price.net : price.gross)}</strong> each
            </li>
          ))}
        </ul>
      )}
      {soldOutNote === null ? (
        <div className={styles.row} id="buy-quantity">
          <strong className={styles.now} aria-hidden="true">
            {euros(isNet ? picked.price.net : picked.price.gross)}
          </strong>
          {picked.licence === undefined ? (
            <QuantityInput
              label="Quantity"
              name="quantity"
              min={1}
              max={Math.max(1, max)}
              defaultValue={1}
            />
          ) : (
            // A licence is bought once.
            <input type="hidden" name="quantity" value="1" />
          )}
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

/** The choice among variants; of a single one, how many there are. */
function Variants({
  product: { variants, kind, isNet, soldOutNote },
  picked,
  error,
  onChoose,
}: {
  product: ProductData
  picked: ProductData['variants'][number]
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
          detail: each.licence ? withDotsBehind(each.licence) : stockOf(each, isSent),
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
      {picked.licence && <p className={styles.stock}>{withDotsBehind(picked.licence)}</p>}
    </>
  )
}

/** How many are left, as far as that matters for a decision. */
function stockOf(
  { stock, soldOut }: Pick<ProductData['variants'][number], 'stock' | 'soldOut'>,
  isSent: boolean,
): string {
  if (soldOut) return 'Sold out'
  if (stock !== null && stock <= 5) return stock === 1 ? 'Only 1 left' : `Only ${stock} left`
  return isSent ? 'In stock' : 'Available now'
}

/** Asks for one email when something that is sold out is back; a plain form, with scripts as well. */
export function BackInStock({ product }: { product: ProductData }) {
  const { handle, variants, mayComeBack, chosen } = product
  const gone = variants.filter(({ soldOut }) => soldOut)
  if (!mayComeBack || gone.length === 0) return null
  return (
    <form method="post" action={toResult(stockAlertPaths.ask())} className={styles.back}>
      <h2 className="label">Tell me when it’s back</h2>
      <input type="hidden" name="handle" value={handle} />
      {gone.length > 1 ? (
        <label>
          Which
          <select name="variant" defaultValue={chosen ?? undefined}>
            {gone.map(({ variant, title }) => (
              <option key={variant} value={variant}>
                {title}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <input type="hidden" name="variant" value={gone[0]!.variant} />
      )}
      <label>
        Email
        <input type="email" name="email" autoComplete="email" required />
      </label>
      <button className={`${button.button} ${button.quiet}`}>Email me</button>
      <p className={styles.stock}>
        {gone.length === 1 && variants.length > 1 && `${gone[0]!.title} is sold out. `}
        One email when it’s in stock, and nothing else.
      </p>
      <label className="unseen" aria-hidden="true">
        Leave this empty <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
    </form>
  )
}
