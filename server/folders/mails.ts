import { untilDay } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { shortened, plainLine } from '#shared/text/text.ts'
import { mailMessage, paragraphs } from '../mail/layout.ts'
import type { Brand, Mailbox, Message } from '../mail/message.ts'
import type { Mail } from '../mail/schema.ts'
import type { MailTemplate, Rendered } from '../mail/template.ts'
import { html } from '../text/markup.ts'

/** What the notice about submitted favourites is written from. */
export type SubmittedFavourites = {
  title: string
  key: string
  name: string
  note: string | null
  round: number
  /** Of all favourites; the list may be shorter. */
  count: number
  picks: readonly {
    path: string
    heart: boolean
    comment: string | null
    /** Whether it had left the folder before it was sent. */
    gone?: boolean
  }[]
}

/** What stands for all further favourites of an hour. */
export type ManyFavourites = { title: string; key: string; many: true }

/** What the warning before the end of a folder is written from. */
export type EndingFolder = {
  title: string
  client: string | null
  key: string
  expiresAt: number
}

/** What the emails to clients about a gallery are written from. */
export type ClientGallery = {
  email: string
  title: string
  season: string | null
  key: string
  files: number
  expiresAt: number | null
  /** How it opens: by its address alone, by its password, or with the client's code. */
  opensWith: 'link' | 'password' | 'code'
  /** Whether favourites are chosen in it. */
  canPick: boolean
  /**
   * What its readers may download, as far as the code that opens it says; missing in emails that an
   * earlier version queued.
   */
  downloads?: 'originals' | 'web' | 'none'
  /** Whether its pictures carry the agency's name. */
  isProof: boolean
}

/** What the emails about folders look up when they are written. */
export type FolderMailDeps = {
  /** The folder of an address; null for none. */
  find: (key: string) => { readonly expiresAt: number | null } | null
  /** The moment at which an email is written, in milliseconds of the epoch. */
  momentFor: (mail: Mail) => number
}

/**
 * The emails that folders send to staff, and those that staff send to clients about one. What was held
 * up on its way isn't sent once it's wrong.
 * @param inbox of staff, where clients' replies go
 */
export function folderMails(
  inbox: Mailbox,
  { find, momentFor }: FolderMailDeps,
): Record<'folderFavourites' | 'folderExpiring' | 'folderReady' | 'folderEnding', MailTemplate> {
  /** An email about the end of a folder, or why there is nothing to tell any more. */
  const unlessOver = (
    mail: Mail,
    { key, expiresAt }: Pick<ClientGallery, 'key' | 'expiresAt'>,
    rendered: () => Rendered,
  ): Rendered => {
    const folder = find(key)
    if (!folder) return { skip: 'the folder is gone' }
    if (folder.expiresAt !== expiresAt) return { skip: 'it ends at another time' }
    const isOver = expiresAt !== null && expiresAt <= momentFor(mail)
    return isOver ? { skip: 'it has ended' } : rendered()
  }

  return {
    folderFavourites: {
      render: ({ data }, brand) => ({
        to: inbox,
        message: noticeOf(JSON.parse(data ?? '{}') as SubmittedFavourites | ManyFavourites, brand),
      }),
    },
    folderExpiring: {
      render(mail, brand) {
        const ending = JSON.parse(mail.data ?? '{}') as EndingFolder
        return unlessOver(mail, ending, () => ({ to: inbox, message: endNotice(ending, brand) }))
      },
    },
    folderReady: { render: ({ data }, brand) => toClient(data, inbox, readyMessage, brand) },
    folderEnding: {
      render: (mail, brand) =>
        unlessOver(mail, JSON.parse(mail.data!) as ClientGallery, () =>
          toClient(mail.data, inbox, endingMessage, brand),
        ),
    },
  }
}

function toClient(
  data: string | null,
  inbox: Mailbox,
  messageOf: (gallery: ClientGallery, brand: Brand) => Message,
  brand: Brand,
) {
  const gallery = JSON.parse(data!) as ClientGallery
  return {
    to: { name: '', address: gallery.email },
    message: {
      ...messageOf(gallery, brand),
      replyTo: { name: brand.name, address: inbox.address },
    },
  }
}

const opening: Readonly<Record<ClientGallery['opensWith'], string>> = {
  link: 'Anyone with this link can open it, so share it with care.',
  password: 'It asks for the password that we give you separately.',
  code: 'Sign in with your secret code.',
}

type Uses = Pick<ClientGallery, 'canPick' | 'isProof' | 'downloads'>

/** Whether its readers get files out of it to use them. */
const isForDownload = ({ isProof, downloads }: Uses) => !isProof && downloads !== 'none'

/** What a gallery is for. */
function uses(gallery: Uses): string {
  const { canPick, isProof, downloads } = gallery
  if (isForDownload(gallery)) {
    const size = downloads === 'web' ? ' in web size' : ''
    return canPick
      ? `to look at, choose from and download${size}.`
      : `to look at and download${size}.`
  }
  if (!isProof) return canPick ? 'to look at and choose from.' : 'to look at.'
  const proofs = 'The photos are proofs with our name across them'
  return canPick
    ? `to look at and choose from. ${proofs}; we’ll deliver your favourites without it.`
    : `to look at. ${proofs}.`
}

/** Tells a client that a gallery is ready. */
export function readyMessage(gallery: ClientGallery, brand: Brand): Message {
  const { title, season, key, files, expiresAt, opensWith, canPick } = gallery
  return mailMessage(brand, {
    subject: subjectOf(`Your gallery is ready: ${title}`),
    preheader: [
      canPick ? 'Look and choose your favourites.' : 'Have a look.',
      ...(isForDownload(gallery) ? ['Download what you need.'] : []),
    ].join(' '),
    headline: 'Your gallery is ready',
    body: html`<p style="margin:0 0 16px">
      ${title}${season ? `, ${season}` : ''}: ${files === 1 ? 'one file' : `${files} files`},
      ${uses(gallery)}${expiresAt === null ? '' : ` Open until ${untilDay(expiresAt)}.`}
    </p>`,
    button: { label: 'Open the gallery', url: brand.siteUrl + paths.folder(key) },
    small: opening[opensWith],
  })
}

/** Tells a client who was told of a gallery that it ends within a week. */
function endingMessage(gallery: ClientGallery, brand: Brand): Message {
  const { title, key, expiresAt, canPick } = gallery
  const last = untilDay(expiresAt!)
  const toLookAt = canPick ? 'Send us your favourites' : 'Look at it'
  const need = isForDownload(gallery) ? 'Download what you need' : toLookAt
  return mailMessage(brand, {
    subject: subjectOf(`${title} is open until ${last}`),
    preheader: `${need} before then.`,
    headline: `Open until ${last}`,
    body: html`<p style="margin:0 0 16px">
      Your gallery ${title} stays open until ${last}. ${need} before then, or reply to this email if
      you need it longer.
    </p>`,
    button: { label: 'Open the gallery', url: brand.siteUrl + paths.folder(key) },
  })
}

/** A subject that fits into a list of emails. */
const subjectOf = (text: string) => shortened(plainLine(text), 200)

/** Leads staff to the gallery's page at the desk: the gallery itself asks for a code of its client. */
const deskButton = (key: string, { siteUrl }: Brand) => ({
  label: 'Open it at the desk',
  url: siteUrl + paths.deskThing('folders', key),
})

/** Tells staff which favourites a client has sent. */
function submissionNotice(data: SubmittedFavourites, brand: Brand): Message {
  const { title, key, name, note, round, count, picks } = data
  const facts = `${count} ${count === 1 ? 'file' : 'files'}, round ${round}`
  const more = count > picks.length ? html`<p>… and ${count - picks.length} more</p>` : null
  return mailMessage(brand, {
    subject: subjectOf(`Favourites for ${title} from ${name}`),
    headline: `New favourites from ${name}`,
    number: facts,
    body: note ? paragraphs(note) : [],
    button: deskButton(key, brand),
    details: [
      ['Folder', title],
      ['Lightroom filename list', `pitlane folders favourites ${key} --format txt --names`],
    ],
    more: [
      html`<ul style="list-style:none;margin:0;padding:0">
        ${picks.map(
          ({ path, heart, comment, gone }) =>
            html`<li style="margin:0 0 6px">
              ${heart ? '♥' : '·'}
              ${path}${gone ? ' (no longer in the folder)' : null}${comment ? html`<br /><em>${comment}</em>` : null}
            </li>`,
        )}
      </ul>`,
      ...(more ? [more] : []),
    ],
  })
}

/** Tells staff that a folder is about to end, while there is time to ask the client. */
function endNotice({ title, client, key, expiresAt }: EndingFolder, brand: Brand): Message {
  const when = untilDay(expiresAt)
  const whose = client ? ` for ${client}` : ''
  return mailMessage(brand, {
    subject: subjectOf(`“${title}” expires on ${when}`),
    headline: `“${title}” expires on ${when}`,
    body: html`<p style="margin:0 0 16px">
      The gallery “${title}”${whose} is open until ${when}. After that, its link stops working.
    </p>`,
    button: deskButton(key, brand),
    details: [['Extend it', `pitlane folders set ${key} --expires 90d`]],
  })
}

const noticeOf = (picks: SubmittedFavourites | ManyFavourites, brand: Brand): Message =>
  'many' in picks ? manyNotice(picks, brand) : submissionNotice(picks, brand)

/** Tells staff once an hour that there are more favourites than they get notices of. */
const manyNotice = ({ title, key }: ManyFavourites, brand: Brand): Message =>
  mailMessage(brand, {
    subject: shortened(plainLine(`More favourites for ${title}`), 150),
    headline: 'More favourites were sent than we email about',
    body: paragraphs(
      `Many favourites for “${title}” arrived within an hour. All of them are saved; we don’t email about each one.`,
    ),
    button: deskButton(key, brand),
    details: [['All favourites', `pitlane folders favourites ${key}`]],
  })
