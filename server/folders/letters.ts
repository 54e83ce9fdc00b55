import { paths } from '#shared/paths.ts'
import type { Config } from '../config.ts'
import { html } from '../markup.ts'
import type { Writer } from '../mail/compose.ts'
import { letter, type Mailbox, type Message } from '../mail/messages.ts'
import { helsinki } from '#shared/working-days.ts'

/** What the notice about submitted picks is written from. */
export type SubmittedPicks = {
  title: string
  key: string
  name: string
  note: string | null
  round: number
  /** Of all picks; the list may be shorter. */
  count: number
  picks: readonly { path: string; heart: boolean; comment: string | null }[]
}

/** What stands for all further picks of an hour. */
export type ManyPicks = { title: string; key: string; many: true }

/** What the warning before the end of a folder is written from. */
export type EndingFolder = {
  title: string
  client: string | null
  key: string
  expiresAt: number
}

/** The kinds of mail that folders send to staff. */
export type FolderWriters = Record<'folderPicks' | 'folderExpiring', Writer>

/**
 * Makes the writers.
 * @param inbox of staff
 */
export function folderWriters({
  inbox,
  config,
}: {
  inbox: Mailbox
  config: Pick<Config, 'siteUrl'>
}): FolderWriters {
  return {
    folderPicks({ data }) {
      const picks = JSON.parse(data ?? '{}') as SubmittedPicks | ManyPicks
      const { siteUrl } = config
      const message = 'many' in picks ? manyNotice(picks, siteUrl) : picksNotice(picks, siteUrl)
      return { to: inbox, message }
    },
    folderExpiring: ({ data }) => ({
      to: inbox,
      message: endNotice(JSON.parse(data ?? '{}') as EndingFolder, config.siteUrl),
    }),
  }
}

/** Tells staff what a client has picked. */
function picksNotice(data: SubmittedPicks, siteUrl: string): Message {
  const { title, key, name, note, round, count, picks } = data
  const subject = oneLine(`Picks for ${title} from ${name}`)
  const address = siteUrl + paths.folder(key)
  const command = `pitlane folders picks ${key}`
  const lines = picks.map(({ path, heart, comment }) => ({
    path: `${heart ? '♥' : '·'} ${path}`,
    comment,
  }))
  const facts = `${count} ${count === 1 ? 'file' : 'files'}, round ${round}`
  const more = count > picks.length ? `… and ${count - picks.length} more` : null
  return {
    subject,
    text: [
      `${name} has submitted picks for "${title}": ${facts}.`,
      ...(note ? [`\n${note}`] : []),
      '',
      ...lines.map(({ path, comment }) => (comment ? `${path}\n    ${comment}` : path)),
      ...(more ? [more] : []),
      '',
      `Folder: ${address}`,
      `Names for Lightroom: ${command} --format txt --names`,
      '',
    ].join('\n'),
    html: letter(
      subject,
      html`<p>
          <strong>${name}</strong> has submitted picks for <a href="${address}">${title}</a>:
          ${facts}.
        </p>
        ${note ? html`<p style="white-space:pre-wrap">${note}</p>` : null}
        <ul style="list-style:none;padding:0">
          ${lines.map(
            ({ path, comment }) =>
              html`<li>${path}${comment ? html`<br /><em>${comment}</em>` : null}</li>`,
          )}
        </ul>
        ${more ? html`<p>${more}</p>` : null}
        <p>Names for Lightroom: <code>${command} --format txt --names</code></p>`,
    ),
  }
}

/** Tells staff once an hour that there are more picks than they get notices of. */
function manyNotice({ title, key }: ManyPicks, siteUrl: string): Message {
  const subject = oneLine(`More picks for ${title}`)
  const about = `Many picks for "${title}" have been submitted within an hour. All of them are kept; there is no mail for each.`
  const address = siteUrl + paths.folder(key)
  const command = `pitlane folders picks ${key}`
  return {
    subject,
    text: `${about}\n\nFolder: ${address}\nAll picks: ${command}\n`,
    html: letter(
      subject,
      html`<p>${about}</p>
        <p><a href="${address}">${address}</a></p>
        <p>All picks: <code>${command}</code></p>`,
    ),
  }
}

/** Tells staff that a folder is about to end, while there is time to ask the client. */
function endNotice({ title, client, key, expiresAt }: EndingFolder, siteUrl: string): Message {
  const [year, month, day] = helsinki(expiresAt).date.split('-').map(Number)
  const when = `${day}.${month}.${year}`
  const subject = oneLine(`Shared folder ends on ${when}: ${title}`)
  const about = `The shared folder "${title}"${client ? ` for ${client}` : ''} ends on ${when}.`
  const address = siteUrl + paths.folder(key)
  const command = `pitlane folders set ${key} --expires 90d`
  return {
    subject,
    text: `${about}\n\n${address}\n\nTo keep it for longer: ${command}\n`,
    html: letter(
      subject,
      html`<p>${about}</p>
        <p><a href="${address}">${address}</a></p>
        <p>To keep it for longer: <code>${command}</code></p>`,
    ),
  }
}

const oneLine = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 200)
