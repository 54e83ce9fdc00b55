import { paths } from '#shared/paths.ts'
import { breadcrumbs, creativeWork } from '#shared/seo/seo.ts'
import { StructuredData } from '../site/head/structured-data.tsx'
import button from '../ui/button.module.css'
import { CallToAction } from '../ui/page/call-to-action.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import type { CaseData } from './case-loader.ts'
import styles from './case-page.module.css'

/** The ways on from a case. */
export function Component({ project }: { project: CaseData }) {
  const { slug, title } = project
  return (
    <>
      {project.next && <NextCase next={project.next} />}
      <CallToAction
        title="Yours could be next"
        text="Tell us what you race, run or sponsor, and what you need from the photos."
        subject={`A project like “${title}”`}
      >
        <a href={paths.portfolio()} className={`${button.button} ${button.quiet}`}>
          All work
        </a>
      </CallToAction>
      <StructuredData
        things={
          import.meta.env.SSR
            ? (publisher, sharedPicture) => [
                creativeWork({ ...project, image: sharedPicture(project.shared) }, publisher),
                breadcrumbs(
                  [
                    { name: 'Portfolio', path: paths.portfolio() },
                    { name: title, path: paths.project(slug) },
                  ],
                  publisher,
                ),
              ]
            : null
        }
      />
    </>
  )
}

function NextCase({ next }: { next: NonNullable<CaseData['next']> }) {
  const { slug, title, client, picture } = next
  return (
    <nav className={`night ${styles.next}`} aria-label="Next case">
      <a href={paths.project(slug)} rel="next">
        {picture && (
          <Picture
            picture={picture}
            alt=""
            sizes="max(100vw, 93svh)"
            narrowSizes="max(100vw, 50svh)"
          />
        )}
        <span className={`wrap ${styles.nextWords}`}>
          <span className="label">Next case</span>
          <strong>{title}</strong>
          {client && <span>{client}</span>}
        </span>
      </a>
    </nav>
  )
}
