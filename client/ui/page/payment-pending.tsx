import { useEffect, useState, type ReactNode } from 'react'
import { useRevalidator } from 'react-router'
import { Alert } from '../alert.tsx'
import button from '../button.module.css'
import styles from './payment-pending.module.css'

/**
 * How soon the page looks again by itself, and how often (without scripts always after the first
 * pause): each pause is half as long again as the one before. The last look comes after half an hour,
 * when a payment that hasn't arrived has lapsed.
 */
const firstPauseMs = 2_000
const maxLooks = 15

/**
 * What a payer sees while the payment service hasn't told how it went; the page looks again by itself.
 * @param props `address` of this page; `children` are said after what holds for every payment
 */
export function PaymentPending({ address, children }: { address: string; children?: ReactNode }) {
  const { revalidate, state } = useRevalidator()
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    if (looks === maxLooks) return undefined
    const timer = setTimeout(
      () => {
        setLooks(looks + 1)
        void revalidate()
      },
      firstPauseMs * 1.5 ** looks,
    )
    return () => clearTimeout(timer)
  }, [looks, revalidate])
  return (
    <Alert title="Your payment isn’t confirmed yet" role="status">
      <noscript>
        <meta httpEquiv="refresh" content={String(firstPauseMs / 1000)} />
      </noscript>
      <p>
        This can take a minute, even if you’ve already paid. Don’t pay again; this page refreshes
        itself.{children && <> {children}</>}
      </p>
      <p className={styles.again}>
        <a
          href={address}
          className={`${button.button} ${button.small}`}
          aria-disabled={state !== 'idle' || undefined}
        >
          Refresh
        </a>
      </p>
    </Alert>
  )
}
