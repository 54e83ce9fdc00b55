import { useIdentity } from '../site/data/identity.ts'
import { Picture } from '../ui/pictures/picture.tsx'
import { SectionHead } from '../ui/page/section-head.tsx'
import type { AboutData } from './loader.ts'
import styles from './page.module.css'

/** The first section: how it began, with a picture where there is one, and what can be counted. */
export function Story({
  second,
  counts,
}: {
  second: AboutData['pictures'][number] | undefined
  counts: AboutData['counts']
}) {
  const { founded, offices } = useIdentity()
  return (
    <section className={`wrap ${styles.story}`} aria-labelledby="story-title">
      <SectionHead label="Story" id="story-title" title="It began with a van and a deadline" />
      <div className={styles.columns}>
        <div className={styles.text}>
          <p>
            {founded ? `In ${founded}` : 'Years ago'} a rally team needed photos before its partners
            went to bed, and no one could deliver them. So two people drove to the nearest signal,
            edited on the bonnet, and sent them. The partners wrote back the same night.
          </p>
          <p>
            The van is bigger now and the signal better. The idea hasn’t changed: motorsport is news
            for an hour and a memory for decades. We work for both: photos on time, and an archive
            that still holds up in 20 years.
          </p>
          <p>
            Today we photograph, film, write, publish and design, one service at a time or as a
            whole department. The people you meet in the paddock are the people who quoted your job.
          </p>
        </div>
        {second && (
          <div className={styles.picture}>
            <Picture picture={second.picture} sizes="(width < 60rem) 100vw, 38vw" />
          </div>
        )}
      </div>
      <Numbers
        numbers={[
          { value: founded ?? 0, word: 'founded in Helsinki' },
          { value: offices?.length ?? 0, word: 'offices, three time zones' },
          { value: counts.services, word: 'services under one roof' },
          { value: counts.disciplines, word: 'disciplines in our portfolio' },
        ]}
      />
    </section>
  )
}

/** What can be counted on this very site; nothing that is zero. */
function Numbers({ numbers }: { numbers: readonly { value: number; word: string }[] }) {
  const known = numbers.filter(({ value }) => value > 1)
  if (known.length === 0) return null
  return (
    <dl className={styles.numbers}>
      {known.map(({ value, word }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
