import { replyFilePath, type ReplyFileView } from '#shared/contact/tickets.ts'

/**
 * The files of a reply, to download; nothing where there are none.
 * @param page of the ticket
 */
export const AttachedFiles = ({ files, page }: { files: readonly ReplyFileView[]; page: string }) =>
  files.length > 0 && (
    <p>
      Attached:{' '}
      {files.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={replyFilePath(page, id)} download>
            {name}
          </a>
        </span>
      ))}
    </p>
  )
