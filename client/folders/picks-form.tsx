import { folderLimits } from '#shared/folder-numbers.ts'
import type { FolderPicks, OpenFolder } from '#shared/folders.ts'
import { paths } from '#shared/paths.ts'
import { Day } from '../ui/day.tsx'
import { ArrowIcon } from '../ui/icons.tsx'
import button from '../ui/button.module.css'
import { Field } from '../ui/field.tsx'
import { counted } from './format.ts'
import styles from './picks-form.module.css'

type Props = {
  folder: OpenFolder
  picks: FolderPicks
  /** Where the form leads back to. */
  to: string
}

/** The end of choosing: the favourites are sent to us, with a name and a word. */
export function PicksForm({ folder: { id, count }, picks, to }: Props) {
  if (picks.rounds === 'none' || count === 0) return null
  const { submittedAt, hearts, comments, round } = picks
  return (
    <section id="picks" className={`wrap ${styles.picks}`} aria-labelledby="picks-title">
      <div className={styles.inner}>
        <div>
          <h2 id="picks-title">{submittedAt ? 'Your picks are with us' : 'Your picks'}</h2>
          <p className={styles.score}>
            {counted(hearts, 'favourite')}
            {comments > 0 && `, ${counted(comments, 'comment')}`}
            {round > 1 && `, round ${round}`}
          </p>
        </div>
        <form method="post" action={paths.folderPicks(id)} className={styles.form}>
          <input type="hidden" name="to" value={to} />
          {submittedAt ? (
            <Sent picks={picks} at={submittedAt} />
          ) : hearts + comments === 0 ? (
            <p className={styles.done}>
              Mark pictures with the heart, and write a comment where you want something done. Then
              send us your picks from here.
            </p>
          ) : (
            <SendFields name={picks.name} />
          )}
        </form>
      </div>
    </section>
  )
}

/** That the picks were sent, and the way to another round where there are several. */
const Sent = ({ picks: { name, rounds }, at }: { picks: FolderPicks; at: string }) => (
  <>
    <p className={styles.done} role="status">
      Sent {name && `by ${name} `}on <Day iso={at} />. We start from here, and come back to you.
    </p>
    {rounds === 'many' && (
      <button type="submit" name="again" value="1" className={`${button.button} ${button.quiet}`}>
        Pick another round
      </button>
    )}
  </>
)

const SendFields = ({ name }: Pick<FolderPicks, 'name'>) => (
  <>
    <Field
      label="Your name"
      name="name"
      required
      maxLength={folderLimits.nameMost}
      autoComplete="name"
      defaultValue={name ?? ''}
    />
    <Field
      label="A word to us"
      name="note"
      type="textarea"
      rows={3}
      maxLength={folderLimits.noteMost}
      optional
    />
    <div className={styles.send}>
      <button type="submit" name="submit" value="1" className={button.button}>
        Send picks <ArrowIcon />
      </button>
      <p>They are locked then, so that we can work with them.</p>
    </div>
  </>
)
