import { Head } from '../site/head/head.tsx'
import { useIdentity } from '../site/data/identity.ts'
import { ContactForm } from './contact-form.tsx'
import styles from './window-page.module.css'

/** The contact form alone. */
export function Component() {
  const { brand } = useIdentity()
  return (
    <div className={styles.window}>
      <Head
        title="Send us a message"
        description={`Write to ${brand}. We reply by the next working day at the latest.`}
        hidden
      />
      <h1>Send us a message</h1>
      <ContactForm />
    </div>
  )
}
