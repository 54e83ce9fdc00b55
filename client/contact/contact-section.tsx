import { contactSectionTexts } from '#shared/contact/contact-form.ts'
import { unknownIdentity } from '../site/data/identity.ts'
import type { SiteData } from '../site/data/loader.ts'
import { Stream } from '../site/data/stream.tsx'
import { staticPart } from '../site/static-part.tsx'
import { below } from '../ui/below.ts'
import { ContactForm } from './contact-form.tsx'
import styles from './contact-section.module.css'

const Ways = staticPart(() => import('./ways.static.tsx'))

/** The contact section of the home page. */
export function ContactSection({ settings }: Pick<SiteData, 'settings'>) {
  return (
    <section
      id="contact"
      className={`night ${styles.section}`}
      aria-labelledby="contact-title"
      {...below}
    >
      <div className="wrap">
        <p className={`label ${styles.line}`}>Contact</p>
        <div className={styles.body}>
          <div>
            <h2 id="contact-title">{contactSectionTexts.heading}</h2>
            <p className={styles.lead}>{contactSectionTexts.lead}</p>
            <Stream value={settings} fallback={<Ways identity={unknownIdentity} />}>
              {(part) => <Ways identity={(part.ok && part.value) || unknownIdentity} />}
            </Stream>
          </div>
          <div className={styles.panel}>
            <h3>Send us a message</h3>
            {/* Not in the stream of the settings, whose arrival would take away what is written. */}
            <ContactForm />
          </div>
        </div>
      </div>
    </section>
  )
}
