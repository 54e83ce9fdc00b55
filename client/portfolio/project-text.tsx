import type { Ref } from 'react'
import { paths } from '#shared/paths.ts'
import button from '../ui/button.module.css'
import { Facts } from '../ui/lists/facts.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import type { ShownProject } from './loader.ts'
import styles from './project-view.module.css'

type Props = { project: ShownProject; heading: Ref<HTMLHeadingElement>; onAsk: () => void }

/** What the work was, for whom, and how to ask for something like it. */
export function ProjectText({ project, heading, onAsk }: Props) {
  const { title, description, client, discipline, series, year, location, service } = project
  return (
    <div className={styles.words}>
      <p className={`label ${styles.meta}`}>
        {[discipline, year].filter(Boolean).join('\u00a0· ')}
      </p>
      <h2 ref={heading} id="project-title" tabIndex={-1}>
        {title}
      </h2>
      <p className={styles.description}>{description}</p>
      <Facts
        className={styles.facts}
        facts={[
          ['Client', client],
          ['Series', series],
          ['Place', location],
          [
            'Service',
            service && (
              <a key="service" href={service.path}>
                {service.title}
              </a>
            ),
          ],
        ]}
      />
      <div className={styles.ways}>
        {project.videoUrl && (
          <a href={project.videoUrl} className={button.arrow} rel="noopener">
            <span>Watch the film</span> <ArrowIcon />
          </a>
        )}
        <a href={paths.project(project.slug)} className={button.arrow}>
          <span>See the whole case</span> <ArrowIcon />
        </a>
        <a
          href={paths.contact()}
          data-contact={`A project like “${title}”`}
          className={`${button.button} ${button.small}`}
          onClick={onAsk}
        >
          Start a project like this
        </a>
      </div>
    </div>
  )
}
