import { replyFileLimits, type ReplyFileView } from '#shared/contact/tickets.ts'
import { Checkbox } from '../../forms/checkbox.tsx'
import { Field, type fieldsOf } from '../../forms/field.tsx'
import fileInput from '../../forms/file-input.module.css'
import styles from './ticket.module.css'

type Props = ReturnType<ReturnType<typeof fieldsOf>> & {
  /** Files that came with the form before; they needn't be chosen again. */
  kept: readonly ReplyFileView[]
}

/** Files for a reply: those to choose, and those that are here since the form came back. */
export const FileField = ({ id, name, error, kept }: Props) => (
  <>
    {kept.length > 0 && (
      <fieldset className={styles.attached}>
        <legend>Attached so far</legend>
        {kept.map((file) => (
          <Checkbox key={file.id} name={`leave-${file.id}`} label={`Leave out ${file.name}`} />
        ))}
      </fieldset>
    )}
    <Field
      label={kept.length > 0 ? 'More files' : 'Files'}
      id={id}
      name={name}
      error={error}
      optional
      type="file"
      multiple
      className={fileInput.files}
      hint={`Up to ${replyFileLimits.maxFiles} files and ${replyFileLimits.maxBytes / 1024 ** 2} MB in all. For photos, share a folder instead.`}
    />
  </>
)
