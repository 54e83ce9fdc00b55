import type { CartLine, GoneLine, PriceChange } from '#shared/shop/shop.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../../ui/alert.tsx'
import { lineId } from './cart-address.ts'

type Props = {
  lines: readonly CartLine[]
  changes: readonly PriceChange[]
  /** Lines that left the cart. */
  gone?: readonly GoneLine[] | undefined
  /** Whether a line of unknown name left it. */
  isGone?: boolean
  /** Lines known only to have a new price. */
  changed?: readonly string[]
}

/** Announces price changes and removed lines since the cart was last viewed. */
export function PriceChanges({ lines, changes, gone = [], isGone = false, changed = [] }: Props) {
  const said = lines.flatMap((line) => {
    const id = lineId(line)
    const change = changes.find((each) => lineId(each) === id)
    if (!change && !changed.includes(id)) return []
    const before = change ? ` It was ${euros(change.was)}.` : ''
    return [{ id, text: `${line.title} now costs ${euros(line.unit)}.${before}` }]
  })
  const isLess = isGone || gone.length > 0
  if (said.length === 0 && !isLess) return null
  const title = isLess ? 'Your cart has changed' : 'Prices have changed'
  return (
    <Alert title={`${title} since you last looked`} role="status">
      <ul>
        {isGone && gone.length === 0 && (
          <li>An item in your cart is no longer available and was removed.</li>
        )}
        {gone.map((line) => (
          <li key={lineId(line)}>{line.title} is no longer available and was removed.</li>
        ))}
        {said.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Alert>
  )
}
