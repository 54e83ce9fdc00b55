import { countInWords, priceInWords, serviceLines, totalOf } from '#shared/booking-price.ts'
import type { BookableService } from '#shared/bookings.ts'
import { isByDates } from '#shared/sale-units.ts'
import { ServicePrice } from '../ui/text/price.tsx'
import styles from './form-page.module.css'

/** The price as the request will carry it: for the chosen days, or what one of them costs. */
export function ServiceCost({
  service,
  range,
}: {
  service: BookableService
  range: { from: string; to: string } | null
}) {
  const { priceFrom, priceNote, unit, includes } = service
  const [line] = isByDates(unit) && range ? serviceLines(service, range) : []
  const count = line && countInWords(line)
  return (
    <div className={styles.price}>
      {line ? (
        <>
          {count && <p>{count}</p>}
          <p>
            <strong>{priceInWords(totalOf([line]))}</strong>
          </p>
          <p>Travel: quoted before anything is binding.</p>
        </>
      ) : (
        <ServicePrice price={priceFrom!} unit={unit} />
      )}
      <p>
        {priceNote && `${priceNote} `}VAT is {priceFrom!.rate} % in Finland.
      </p>
      {includes.length > 0 && (
        <ul>
          {includes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
