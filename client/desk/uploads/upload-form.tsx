import { useRef, useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import type { DeskUpload } from '#shared/desk/things.ts'
import { uploadLimits } from '#shared/folders/folder-numbers.ts'
import { paths } from '#shared/paths.ts'
import fileInput from '../../forms/file-input.module.css'
import button from '../../ui/button.module.css'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { Lines } from '../desk-page.tsx'
import type { SentFile } from './send-files.ts'
import styles from './upload-form.module.css'

/** Files that are listed while they are sent; the others are counted. */
const maxListed = 8

/**
 * Sends files to a folder. Without scripts it's a form like any other; with them, files of any size go in
 * pieces, several at a time.
 */
export function UploadForm({ upload }: { upload: DeskUpload }) {
  const { folder, sections, accept, lines } = upload
  const [files, setFiles] = useState<readonly SentFile[]>([])
  const stopping = useRef<AbortController | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const hydrated = useHydrated()
  const { revalidate } = useRevalidator()
  const isBusy = files.some(({ state }) => state === 'waiting' || state === 'sending')

  const send = async (chosen: readonly File[], section: string) => {
    if (chosen.length === 0 || isBusy) return
    const ending = new AbortController()
    stopping.current = ending
    setFiles(chosen.map(({ name, size }) => ({ name, size, sent: 0, state: 'waiting', why: '' })))
    const changed = (index: number, file: SentFile) =>
      setFiles((before) => before.with(index, file))
    try {
      const { sendFiles } = await import('./send-files.ts')
      await sendFiles(chosen, { folder, section, changed, signal: ending.signal })
    } catch {
      const why = 'The connection was lost. Choose the file again to go on.'
      setFiles((before) =>
        before.map((file) => (file.state === 'done' ? file : { ...file, state: 'failed', why })),
      )
    }
    if (input.current) input.current.value = ''
    await revalidate()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const section = new FormData(event.currentTarget).get('section')
    void send([...(input.current?.files ?? [])], typeof section === 'string' ? section : '')
  }
  return (
    <section id="uploads" aria-labelledby="uploads-title">
      <h2 id="uploads-title">Add photos and files</h2>
      <form
        method="post"
        action={paths.deskFolderFiles(folder)}
        encType="multipart/form-data"
        className={styles.form}
        onSubmit={submit}
      >
        <label className={`${styles.field} ${fileInput.files}`}>
          <span>Photos, films, sound and documents</span>
          <input ref={input} type="file" name="files" multiple required accept={accept} />
        </label>
        <label className={styles.field}>
          <span>Section (optional)</span>
          <input name="section" list="upload-sections" maxLength={200} autoComplete="off" />
          <small className={styles.hint}>
            Such as “Day 1” or “Highlights”. A new name adds a section.
          </small>
        </label>
        <datalist id="upload-sections">
          {sections.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
        <p className={styles.hint}>
          {hydrated
            ? 'Choose files or drop them here, up to 8 GB each. If the connection drops, they go on where they stopped.'
            : `Up to ${uploadLimits.maxFormFiles} files and ${uploadLimits.maxFormBytes / 1024 ** 2} MB at once. Larger files need JavaScript.`}
        </p>
        <div className={styles.buttons}>
          <button className={button.button} aria-disabled={isBusy || undefined}>
            Upload
          </button>
          {isBusy && (
            <button type="button" className={styles.stop} onClick={() => stopping.current?.abort()}>
              Stop
            </button>
          )}
        </div>
        <Progress files={files} />
      </form>
      {lines.length > 0 && (
        <div className={styles.lines}>
          <h3>Last files</h3>
          <Lines lines={lines} />
        </div>
      )}
    </section>
  )
}

/** How far the files of this page are; what has failed stays listed with its reason. */
function Progress({ files }: { files: readonly SentFile[] }) {
  const done = files.filter(({ state }) => state === 'done').length
  const failed = files.filter(({ state }) => state === 'failed')
  const sending = files.filter(({ state }) => state === 'sending')
  const listed = [...failed, ...sending].slice(0, maxListed)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const sent = files.reduce((sum, { sent: arrived }) => sum + arrived, 0)
  return (
    <div className={styles.progress}>
      <p role="status">
        {files.length > 0 &&
          [`${done} of ${files.length} uploaded`, failed.length > 0 && `${failed.length} failed`]
            .filter(Boolean)
            .join(', ')}
      </p>
      {files.length > 0 && (
        <progress aria-label="All files" max={Math.max(1, bytes)} value={Math.min(sent, bytes)} />
      )}
      <ul>
        {listed.map(({ name, size, sent: arrived, state, why }, index) => (
          <li key={`${index}-${name}`} data-failed={state === 'failed' ? '' : undefined}>
            <span>{name}</span>
            <span>{why || `${Math.floor((100 * arrived) / Math.max(1, size))} %`}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
