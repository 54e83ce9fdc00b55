import { useEffect } from 'react'
import { folderLimits } from '#shared/folders/folder-numbers.ts'
import type { FavouriteFile, FolderFavourites, OpenFolder } from '#shared/folders/folders.ts'
import { paths } from '#shared/paths.ts'
import { grouped } from '#shared/text/counted.ts'
import { Alert } from '../../ui/alert.tsx'
import { Day } from '../../ui/text/day.tsx'
import { ArrowIcon } from '../../ui/icons.tsx'
import button from '../../ui/button.module.css'
import { Field, fieldsOf } from '../../forms/field.tsx'
import { post, useForm } from '../../forms/use-form.ts'
import { pageHref } from '../folder-tools.tsx'
import { counted } from '../format.ts'
import { HeartIcon } from '../gallery/tile.tsx'
import { forgetTypedFor, useNoteDraft } from './typed.ts'
import type { Favourites } from './use-favourites.ts'
import styles from './favourites-form.module.css'

type Props = {
  folder: OpenFolder
  favourites: Favourites
  /** Where the form leads back to. */
  to: string
}

/** The form that sends favourites, which buttons of the list below it belong to, too. */
const formId = 'picks-form'

/** Sends the favourites to us, with a name and a note. */
export function FavouritesForm({ folder, favourites, to }: Props) {
  const { id, count } = folder
  const { summary } = favourites
  const { submittedAt, hearts, comments, round } = summary
  const files = submittedAt ? folder.marked : favouritesNow(folder, favourites)
  if (summary.rounds === 'none' || (count === 0 && files.length === 0)) return null
  const gone = submittedAt ? 0 : files.filter(({ id: file }) => file === null).length
  return (
    <section id="picks" className={`wrap ${styles.favourites}`} aria-labelledby="picks-title">
      <div className={styles.inner}>
        <div>
          <h2 id="picks-title" tabIndex={-1}>
            {submittedAt ? 'Favourites sent' : 'Your favourites'}
          </h2>
          <p className={styles.score}>
            {counted(hearts, 'favourite')}
            {comments > 0 && `, ${counted(comments, 'comment')}`}
            {round > 1 && `, round ${round}`}
          </p>
        </div>
        {submittedAt ? (
          <Sent id={id} summary={summary} at={submittedAt} to={to} />
        ) : (
          <div className={styles.form}>
            {gone > 0 && <Alert tone="info">{goneText(gone)}</Alert>}
            {files.length === gone ? (
              <form id={formId} method="post">
                <input type="hidden" name="to" value={to} />
                <p className={styles.done}>
                  Heart the photos you want and comment on any that need work, then send your
                  favourites.
                </p>
              </form>
            ) : (
              <Send id={id} favourites={favourites} to={to} />
            )}
          </div>
        )}
        <Review id={id} files={files} more={notListed(folder)} takeOut={favourites.takeOut} />
      </div>
    </section>
  )
}

/** Tells what staff have removed of what was marked. */
const goneText = (gone: number): string =>
  gone === 1
    ? 'We’ve removed a file that you had marked. It’s listed below, so that you can choose another one.'
    : `We’ve removed ${gone} files that you had marked. They’re listed below, so that you can choose others.`

/** How many marked files are neither listed nor on this page. */
const notListed = ({ marked, files, markedCount }: OpenFolder): number => {
  const listed = new Set(marked.map(({ id }) => id))
  const beyond = files.filter(({ id, heart, comment }) => !listed.has(id) && (heart || comment))
  return markedCount - marked.length - beyond.length
}

/** What would be sent now: files on other pages as loaded, those on this page as they are. */
function favouritesNow({ files, marked }: OpenFolder, favourites: Favourites): FavouriteFile[] {
  const here = new Set<number | null>(files.map(({ id }) => id))
  const { isFavourite, commentOf } = favourites
  return [
    ...marked.filter(
      ({ id, lost }) =>
        !here.has(id) && (lost === undefined || isFavourite(lost) || commentOf(lost)),
    ),
    ...files
      .map((file) => ({
        ...file,
        heart: isFavourite(file.id),
        comment: commentOf(file.id),
      }))
      .filter(({ heart, comment }) => heart || comment),
  ]
}

/** Every favourite and comment, for review before and after sending. */
function Review({
  id,
  files,
  more,
  takeOut,
}: {
  id: string
  files: readonly FavouriteFile[]
  /** How many aren't among these. */
  more: number
} & Pick<TakeOutProps, 'takeOut'>) {
  if (files.length === 0) return null
  return (
    <>
      <ul className={styles.review} aria-label="Favourites and comments">
        {files.map(({ id: file, lost, name, version, pixels, heart, comment }, index) => (
          <li key={file ?? `gone-${lost ?? index}`}>
            {pixels && file !== null && (
              <img
                src={paths.folderThumb(id, file, version)}
                alt=""
                width="96"
                height="72"
                loading="lazy"
              />
            )}
            <div>
              <strong>
                {heart && <HeartIcon on />} {name}
              </strong>
              {comment && <q>{comment}</q>}
              {file === null && <small>No longer in this gallery</small>}
              {lost !== undefined && <TakeOut {...{ id, lost, name, takeOut }} />}
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.more}>
          {`And ${grouped(more)} more. `}
          <a href={pageHref({ id, filter: 'favourites' }, 1)}>See all favourites, page by page</a>
        </p>
      )}
    </>
  )
}

type TakeOutProps = {
  /** Of the folder. */
  id: string
  lost: number
  name: string
  takeOut: Favourites['takeOut']
}

/**
 * Takes a file that has left the gallery out of the list. Before the page has its code it posts the form
 * above, so that a name and a message that were typed there come back with the list.
 */
const TakeOut = ({ id, lost, name, takeOut }: TakeOutProps) => (
  <button
    form={formId}
    formAction={`${paths.folderPicks(id)}#picks-title`}
    formNoValidate
    name="remove"
    value={lost}
    className={styles.remove}
    aria-label={`Remove ${name}`}
    onClick={(event) => {
      event.preventDefault()
      focusNext(event.currentTarget)
      void takeOut(lost)
    }}
  >
    Remove
  </button>
)

/** Moves the focus on before a button goes: to the next one, else to the title of the list. */
function focusNext(pressed: HTMLButtonElement): void {
  const buttons = Array.from(
    pressed.closest('ul')!.querySelectorAll<HTMLElement>('button[name="remove"]'),
  )
  const at = buttons.indexOf(pressed)
  const next = buttons[at + 1] ?? buttons[at - 1] ?? document.getElementById('picks-title')
  next?.focus({ preventScroll: true })
}

/** Says when they were sent, and starts another round where there are several. */
const Sent = ({
  id,
  summary: { name, rounds, form },
  at,
  to,
}: {
  id: string
  summary: FolderFavourites
  at: string
  to: string
}) => {
  const isUnsent = form !== undefined
  useEffect(() => {
    if (!isUnsent) forgetTypedFor(id)
  }, [id, isUnsent])
  return (
    <form method="post" action={paths.folderPicks(id)} className={styles.form}>
      <input type="hidden" name="to" value={to} />
      <p className={styles.done} role="status">
        Sent {name && `by ${name} `}on <Day iso={at} />. We’re on it.
      </p>
      {form?.errors.request && (
        <Alert tone="bad" role="alert" title={form.errors.request}>
          <q>{form.entries.note}</q>
        </Alert>
      )}
      {rounds === 'many' && (
        <button type="submit" name="again" value="1" className={`${button.button} ${button.quiet}`}>
          Start another round
        </button>
      )}
    </form>
  )
}

const noNetwork = 'Couldn’t send. Check your connection and try again.'

/** The form that sends them. A missing name is said at its field, with scripts and without. */
function Send({ id, favourites, to }: { id: string; favourites: Favourites; to: string }) {
  const { name, form, revision } = favourites.summary
  const { errors, isSending, formProps } = useForm(async (entries, element) => {
    // The server checks the form, too.
    const code = await import('./saving.ts').catch(() => null)
    const wrong = code?.favouritesErrors(entries)
    if (wrong) return wrong
    const why = code ? await code.whyNotSent(id) : noNetwork
    if (why) return { request: why }
    // A comment that a network took belongs to what is sent, and couldn't be added afterwards.
    if (!(await favourites.keepDrafts())) return { request: noNetwork }
    element.querySelector<HTMLInputElement>('[name="seen"]')!.value = String(favourites.seen())
    post(element)
    return null
  }, form?.errors)
  useNoteDraft(formProps.ref, id, form !== undefined)
  const control = fieldsOf('picks', { entries: form?.entries ?? {}, errors })
  return (
    <form
      id={formId}
      method="post"
      action={`${paths.folderPicks(id)}#picks-name`}
      className={styles.form}
      {...formProps}
    >
      <input type="hidden" name="to" value={to} />
      <input type="hidden" name="submit" value="1" />
      <input type="hidden" name="seen" value={revision} />
      <Field
        label="Your name"
        {...control('name', name ?? '')}
        required
        maxLength={folderLimits.maxName}
        autoComplete="name"
      />
      <Field
        label="Message"
        {...control('note')}
        type="textarea"
        rows={3}
        maxLength={folderLimits.maxNote}
        optional
      />
      {errors.request && (
        <Alert tone="bad" role="alert">
          {errors.request}
        </Alert>
      )}
      <div className={styles.send}>
        <button className={button.button} aria-disabled={isSending || undefined}>
          Send favourites <ArrowIcon />
        </button>
        <p>You can’t change your favourites after sending.</p>
      </div>
    </form>
  )
}
