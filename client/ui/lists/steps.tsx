import styles from './steps.module.css'

type Props = {
  label?: string
  /** In order; one with an address can be gone back to. */
  steps: readonly { title: string; href?: string }[]
  /** Position of the present one, from 0. */
  current: number
}

/** How far a visitor has come on a way of several pages. */
export const Steps = ({ label = 'Steps', steps, current }: Props) => (
  <nav aria-label={label} className={styles.steps}>
    <ol>
      {steps.map(({ title, href }, index) => {
        const done = index < current
        return (
          <li
            key={title}
            aria-current={index === current ? 'step' : undefined}
            data-done={done ? '' : undefined}
          >
            {done && href ? <a href={href}>{title}</a> : <span>{title}</span>}
            {done && <span className="unseen"> (done)</span>}
          </li>
        )
      })}
    </ol>
  </nav>
)
