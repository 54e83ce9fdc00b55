import type { ReactNode } from 'react'
import type { DocumentVersion } from '#shared/legal/legal.ts'
import { Day } from '../ui/text/day.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { Typeset } from '../ui/text/rich-text.tsx'
import styles from './document.module.css'

type Props = {
  title: string
  lead: ReactNode
  /** Newest first; `href` is where one can be read. */
  versions: readonly (DocumentVersion & { href?: string | null })[]
  sections: readonly { id: string; title: string; body: ReactNode }[]
}

/** A legal document: numbered sections beside their list, version history at the end. */
export function LegalDocument({ title, lead, versions, sections }: Props) {
  const [newest] = versions
  return (
    <>
      <PageHead
        label={
          newest && (
            <>
              Version {newest.version} <Day iso={newest.date} long />
            </>
          )
        }
        title={title}
        lead={lead}
      />
      <div className={`wrap ${styles.document}`}>
        <nav className={styles.contents} aria-label="Sections">
          <ol>
            {sections.map(({ id, title: name }) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={styles.sections}>
          {sections.map(({ id, title: name, body }) => (
            <section key={id} id={id} aria-labelledby={`section-${id}`}>
              <h2 id={`section-${id}`}>{name}</h2>
              <Typeset>{body}</Typeset>
            </section>
          ))}
          <section aria-labelledby="versions-title">
            <h2 id="versions-title">Versions</h2>
            <Typeset>
              <ul>
                {versions.map(({ version, date, change, href = null }) => (
                  <li key={version}>
                    <VersionName version={version} href={href} />, <Day iso={date} long />: {change}
                  </li>
                ))}
              </ul>
            </Typeset>
          </section>
        </div>
      </div>
    </>
  )
}

/** The number of a version, a link to its text if we still have it. */
const VersionName = ({ version, href }: { version: string; href: string | null }) =>
  href === null ? (
    version
  ) : (
    <a href={href}>
      {version}
      <span className="unseen"> as PDF</span>
    </a>
  )
