import type { ReactNode } from 'react'
import styles from './alert.module.css'
import { Icon } from './icons.tsx'

/** What kind of news it is. */
export type AlertTone = 'info' | 'good' | 'bad'

type Props = {
  tone?: AlertTone
  title?: ReactNode
  /** Said at once by screen readers when it appears, or when they are done with what they say. */
  role?: 'alert' | 'status'
  id?: string
  /** -1 where the result of a form leads here. */
  tabIndex?: number
  className?: string | undefined
  children: ReactNode
}

const marks: Readonly<Record<AlertTone, string>> = {
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 8v6m0-9.5V7',
  good: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm-4 9.5 2.8 2.8L16 9.5',
  bad: 'M12 3 2 20h20L12 3Zm0 6v5m0 2.5v.5',
}

/** A message in its place on a page: what has happened, or what to know before going on. */
export function Alert({ tone = 'info', title, className = '', children, ...rest }: Props) {
  return (
    <div {...rest} className={`${styles.alert} ${className}`} data-tone={tone}>
      <Icon size={20}>
        <path d={marks[tone]} />
      </Icon>
      <div>
        {title && <p className={styles.title}>{title}</p>}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  )
}
