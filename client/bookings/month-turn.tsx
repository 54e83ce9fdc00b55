import type { MouseEvent } from 'react'
import { monthName } from '#shared/date-format.ts'
import { Icon } from '../ui/icons.tsx'
import styles from './day-grid.module.css'

/** Leads to the month beside, as far as it can be shown. @param props `path` draws its arrow */
export function MonthTurn({
  label,
  to,
  path,
  months,
  monthHref,
  turn,
}: {
  label: string
  to: string
  path: string
  turn: (to: string) => (event: MouseEvent) => void
  months: { first: string; last: string }
  monthHref: (month: string) => string
}) {
  const isThere = to >= months.first && to <= months.last
  return (
    <a
      {...(isThere
        ? { href: monthHref(to), onClick: turn(to) }
        : { role: 'link', 'aria-disabled': true })}
      className={styles.turn}
      aria-label={isThere ? `${label}, ${monthName(to)}` : label}
    >
      <Icon>
        <path d={path} />
      </Icon>
    </a>
  )
}
