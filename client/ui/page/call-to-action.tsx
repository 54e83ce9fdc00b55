import type { ReactNode } from 'react'
import { paths } from '#shared/paths.ts'
import button from '../button.module.css'
import styles from './call-to-action.module.css'

type Props = {
  title: string
  text: string
  /** What the message that it opens is about. */
  subject: string
  action?: string
  /** Other ways on. */
  children?: ReactNode
}

/** The end of a page: what to do next. */
export function CallToAction({ title, text, subject, action = 'Contact Us', children }: Props) {
  return (
    <section className={`night ${styles.call}`} aria-labelledby="call-title">
      <div className={`wrap ${styles.row}`}>
        <h2 id="call-title">{title}</h2>
        <div>
          <p>{text}</p>
          <div className={styles.ways}>
            <a href={paths.contact()} data-contact={subject} className={button.button}>
              {action}
            </a>
            {children}
          </div>
        </div>
      </div>
    </section>
  )
}
