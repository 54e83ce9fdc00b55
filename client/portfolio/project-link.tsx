import { paths } from '#shared/paths.ts'
import card from '../ui/cards/card.module.css'
import { Picture } from '../ui/pictures/picture.tsx'
import type { ProjectPreview } from './preview.ts'
import styles from './project-link.module.css'

type Props = {
  project: ProjectPreview
  sizes: string
  /** One of the first that are seen. */
  first?: boolean
  heading?: 'h2' | 'h3'
  href?: string
}

/** A project in a list: its picture, and what it was. */
export function ProjectLink({
  project,
  sizes,
  first = false,
  heading: Heading = 'h3',
  href = paths.project(project.slug),
}: Props) {
  const { slug, title, client, discipline, year, picture, pictures } = project
  return (
    <article className={`${card.card} ${styles.project}`}>
      <div className={`${card.frame} ${styles.frame}`}>
        {picture ? (
          <Picture picture={picture} alt="" sizes={sizes} first={first} />
        ) : (
          <div className={card.noPicture} />
        )}
        {pictures > 1 && <span className={styles.count}>{pictures} photos</span>}
      </div>
      <div className={styles.words}>
        <p className={`label ${card.meta} ${styles.meta}`}>
          {discipline && <span>{discipline}</span>}
          {year}
        </p>
        <Heading className={card.title}>
          <a href={href} data-project={slug}>
            {title}
          </a>
        </Heading>
        {client && <p className={styles.client}>{client}</p>}
      </div>
    </article>
  )
}
