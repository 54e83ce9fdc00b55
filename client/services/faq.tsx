import { SectionHead } from '../home/section-head.tsx'
import styles from './faq.module.css'

/** What people ask about a service; without questions it is left out. */
export function Faq({ questions }: { questions: readonly { question: string; answer: string }[] }) {
  if (questions.length === 0) return null
  return (
    <section className={`wrap ${styles.faq}`} aria-labelledby="faq-title">
      <SectionHead number="03" label="Questions" id="faq-title" title="Asked before the start" />
      <div className={styles.list}>
        {questions.map(({ question, answer }) => (
          <details key={question} name="faq">
            <summary>
              <h3>{question}</h3>
              <span className={styles.sign} aria-hidden="true" />
            </summary>
            <div className={styles.answer} dangerouslySetInnerHTML={{ __html: answer }} />
          </details>
        ))}
      </div>
    </section>
  )
}
