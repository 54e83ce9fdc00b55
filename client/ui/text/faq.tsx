import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { questionFragment, type Question } from '#shared/faq.ts'
import { SectionHead } from '../page/section-head.tsx'
import styles from './faq.module.css'

type Props = { questions: readonly Question[]; title: string }

/** What people ask; without questions it is left out. Each has a fragment that leads to it. */
export function Faq({ questions, title }: Props) {
  const { hash } = useLocation()
  // Browsers open what holds the fragment themselves, unless its code came after the visitor.
  useEffect(() => {
    const asked = document.getElementById(hash.slice(1))?.closest('details')
    if (!asked || asked.open) return
    asked.open = true
    asked.scrollIntoView()
  }, [hash])
  if (questions.length === 0) return null
  return (
    <section className={`wrap ${styles.faq}`} aria-labelledby="faq-title">
      <SectionHead label="Questions" id="faq-title" title={title} />
      <div className={styles.list}>
        {questions.map((each) => (
          <details key={each.id} name="faq">
            <summary>
              <h3>{each.question}</h3>
              <span className={styles.sign} aria-hidden="true" />
            </summary>
            <div
              id={questionFragment(each)}
              className={styles.answer}
              dangerouslySetInnerHTML={{ __html: each.answer }}
            />
          </details>
        ))}
      </div>
      <p className={styles.booking}>
        Know your dates? <a href={paths.booking()}>Book them now</a>, or{' '}
        <a href={paths.calendar()}>see the season</a>.
      </p>
    </section>
  )
}
