import styles from './checkout-page.module.css'
import { Facts } from '../../ui/lists/facts.tsx'

/** When each line is delivered; lines of the same time share it. */
export function DeliveryTimes({
  delivery,
}: {
  delivery: readonly { title: string; words: string }[]
}) {
  if (delivery.length === 0) return null
  const times = [...Map.groupBy(delivery, ({ words }) => words)]
  return (
    <div className={styles.times}>
      <p className="label">Delivery time</p>
      <Facts
        facts={times.map(([words, lines]) => [lines.map(({ title }) => title).join(', '), words])}
      />
    </div>
  )
}
