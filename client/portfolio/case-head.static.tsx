import { paths } from '#shared/paths.ts'
import { Facts } from '../ui/lists/facts.tsx'
import { Breadcrumbs } from '../ui/page/breadcrumbs.tsx'
import button from '../ui/button.module.css'
import { ArrowIcon } from '../ui/icons.tsx'
import { Picture } from '../ui/pictures/picture.tsx'
import type { CaseData } from './case-loader.ts'
import styles from './case-page.module.css'

/** What the work was, and for whom. */
export function Component({ project }: { project: CaseData }) {
  const { title, description, client, discipline, year } = project
  const [lead] = project.pictures
  return (
    <>
      <header className={`wrap ${styles.head}`}>
        <Breadcrumbs trail={[{ title: 'Portfolio', href: paths.portfolio() }]} />
        <h1 data-long={title.length > 20 ? '' : undefined}>{title}</h1>
        <p className={styles.line}>{[client, discipline, year].filter(Boolean).join('\u00a0· ')}</p>
      </header>
      {lead && (
        <div className={styles.lead} data-lead="">
          <Picture picture={lead} sizes="100vw" narrowSizes="max(100vw, 57svh)" first />
        </div>
      )}
      <div className={`wrap ${styles.story}`}>
        <div>
          <p className={styles.description}>{description}</p>
          {project.videoUrl && (
            <a href={project.videoUrl} className={button.arrow} rel="noopener">
              <span>Watch the film</span> <ArrowIcon />
            </a>
          )}
        </div>
        <Facts
          className={styles.facts}
          facts={[
            ['Client', client],
            ['Event', project.event],
            ['Series', project.series],
            ['Place', project.location],
            [
              'Service',
              project.service && (
                <a key="service" href={project.service.path}>
                  {project.service.title}
                </a>
              ),
            ],
          ]}
        />
      </div>
    </>
  )
}
