import type { CartLine, PriceChange } from '#shared/shop.ts'
import { euros } from '#shared/money.ts'
import { Alert } from '../ui/alert.tsx'
import { lineId } from './cart-address.ts'

type Props = {
  lines: readonly CartLine[]
  changes: readonly PriceChange[]
  /** Lines of which only is known that their price has changed. */
  changed?: readonly string[]
}

/** Says which prices have changed since the cart was looked at last. */
export function PriceChanges({ lines, changes, changed = [] }: Props) {
  const said = lines.flatMap((line) => {
    const id = lineId(line)
    const change = changes.find((each) => lineId(each) === id)
    if (!change && !changed.includes(id)) return []
    const before = change ? ` It was ${euros(change.was)}.` : ''
    return [{ id, text: `${line.title} now costs ${euros(line.unit)}.${before}` }]
  })
  if (said.length === 0) return null
  return (
    <Alert title="Prices have changed since you last looked" role="status">
      <ul>
        {said.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </Alert>
  )
}
