import { createHash } from 'node:crypto'
import { basename, extname } from 'node:path'
import { dayMs } from '#shared/dates/durations.ts'
import { failure } from '#shared/failures.ts'
import { isLongerThan, plainLine, shortened } from '#shared/text/text.ts'
import { replyFileLimits } from '#shared/contact/tickets.ts'
import type { Transaction } from '../db/group-commit.ts'
import { integer, listOf, query } from '../db/table.ts'
import type { Platform } from '../feature.ts'
import { mediaTypeOf } from '../http/media-types.ts'
import type { Attachment } from '../mail/message.ts'
import { sizeOf } from './inbound/email.ts'
import { replyFiles, replyFileShape, type ReplyFile, type TicketMessage } from './schema.ts'

const { maxFiles, maxBytes } = replyFileLimits
const megabyte = 1024 * 1024

/** Bytes and number of all files of a ticket, sent or not, so that no link to one can fill the disk. */
const maxOfTicket = { bytes: 100 * megabyte, files: 200 } as const

/** Milliseconds after which files attached to no reply are deleted. */
const waitingFor = dayMs

/** A file to attach; its name may include a path. */
export type AttachedFile = { name: string; content: Buffer }

/** The files of replies to tickets. */
export type ReplyFiles = ReturnType<typeof createReplyFiles>

/** Creates the store of files attached to replies (table `reply_files`). */
export function createReplyFiles({ db, commit, clock }: Pick<Platform, 'db' | 'commit' | 'clock'>) {
  const select = (rest: string) =>
    query(db, `SELECT ${listOf(replyFileShape)} FROM reply_files ${rest}`, replyFileShape)
  const insert = replyFiles.insert(db, 'ON CONFLICT DO NOTHING')
  const waitingWith = select(
    'WHERE ticket_id = :ticketId AND key = :key AND message IS NULL ORDER BY id',
  )
  const waiting = select('WHERE ticket_id = :ticketId AND message IS NULL ORDER BY id')
  const ofMessage = select('WHERE message = :message ORDER BY id')
  const whole = replyFiles.select(db, 'WHERE ticket_id = :ticketId AND id = :id')
  const wholeOfMessage = replyFiles.select(db, 'WHERE message = :message ORDER BY id')
  const allOf = query(
    db,
    `SELECT coalesce(sum(size), 0) AS bytes, count(*) AS files
     FROM reply_files WHERE ticket_id = :ticketId`,
    { bytes: integer(), files: integer() },
  )
  const send = db.prepareWrite(
    `UPDATE reply_files SET message = :message
     WHERE ticket_id = :ticketId AND key = :key AND message IS NULL`,
  )
  const remove = db.prepareWrite('DELETE FROM reply_files WHERE id = :id AND message IS NULL')
  const forget = db.prepareWrite('DELETE FROM reply_files WHERE message IS NULL AND at < :before')

  const asAttachment = ({ name, content }: { name: string; content: Buffer }): Attachment => ({
    filename: name,
    contentType: mediaTypeOf(name) ?? 'application/octet-stream',
    content,
  })

  return {
    /**
     * Keeps a file for the reply that will be written with a key; the same file again is kept once.
     * @throws invalid for an empty file, and beyond what a reply or a ticket can have
     */
    attach: (
      ticketId: string,
      key: string,
      { name: given, content }: AttachedFile,
    ): Promise<void> =>
      commit((tx) => {
        const name = safeFileName(given)
        const digest = createHash('sha256').update(content).digest('hex')
        const others = waitingWith.all({ ticketId, key })
        if (others.some((file) => file.name === name && file.digest === digest)) return
        const refuse = (message: string) =>
          failure('invalid', { message, errors: { files: message } })
        if (content.length === 0) throw refuse(`“${name}” is empty`)
        const bytes = others.reduce((sum, { size }) => sum + size, content.length)
        if (bytes > maxBytes) {
          throw refuse(`The files of a reply can have up to ${maxBytes / megabyte} MB in all`)
        }
        if (others.length >= maxFiles) throw refuse(`A reply can have up to ${maxFiles} files`)
        const all = allOf.get({ ticketId })!
        if (all.bytes + content.length > maxOfTicket.bytes || all.files >= maxOfTicket.files) {
          throw refuse(
            `A ticket can have up to ${maxOfTicket.files} files and ${maxOfTicket.bytes / megabyte} MB in all. Send a link to a folder instead`,
          )
        }
        insert(tx, {
          ticketId,
          key,
          message: null,
          name,
          size: content.length,
          digest,
          content,
          at: clock(),
        })
      }),

    /** The files that wait for a reply to a ticket, of every form. */
    waiting: (ticketId: string): ReplyFile[] => waiting.all({ ticketId }),

    areWaiting: (ticketId: string, key: string): boolean =>
      waitingWith.get({ ticketId, key }) !== null,

    /**
     * Attaches the files waiting under a reply's key to it.
     * @param leftOut ids of files that are to be deleted instead
     */
    send(
      tx: Transaction,
      { id: message, ticketId, key }: Pick<TicketMessage, 'id' | 'ticketId' | 'key'>,
      leftOut: readonly number[],
    ): void {
      for (const { id } of waitingWith.all({ ticketId, key })) {
        if (leftOut.includes(id)) remove.run(tx, { id })
      }
      send.run(tx, { ticketId, key, message })
    },

    /** The files of a reply, without what is in them. */
    ofMessage: (message: number): ReplyFile[] => ofMessage.all({ message }),

    /** The files of a reply as an email has them. */
    attachments: (message: number): Attachment[] =>
      wholeOfMessage.all({ message }).map(asAttachment),

    /** A file of a ticket that was sent; null for every other number. */
    find(ticketId: string, id: number): Attachment | null {
      const found = whole.get({ ticketId, id })
      return found && found.message !== null ? asAttachment(found) : null
    },

    /** Deletes files of forms that never became a reply. */
    forgetWaiting: (tx: Transaction): void => void forget.run(tx, { before: clock() - waitingFor }),
  }
}

/** The name a file is stored and sent under: without its path, and short enough for a disk. */
function safeFileName(given: string): string {
  const name = plainLine(basename(given.replaceAll('\\', '/')).normalize('NFC'))
  const ending = extname(name)
  const isUsual = ending !== '' && !isLongerThan(ending, 10)
  return (
    (isUsual ? shortened(name.slice(0, -ending.length), 100) + ending : shortened(name, 100)) ||
    'file'
  )
}

/** A file of a reply in words, such as `plan.pdf (2.2 MB)`. */
export const fileInWords = ({ name, size }: Pick<ReplyFile, 'name' | 'size'>): string =>
  sizeOf({ name, bytes: size })
