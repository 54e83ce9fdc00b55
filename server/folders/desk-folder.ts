import { counted } from '#shared/text/counted.ts'
import { bytesText } from '#shared/text/bytes.ts'
import type { DeskLine } from '#shared/desk/lines.ts'
import type { DeskFact, DeskThing } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import { paths } from '#shared/paths.ts'
import { plainLine } from '#shared/text/text.ts'
import type { ClientFeature } from '../clients/feature.ts'
import {
  deskLine,
  historyOf,
  isoOf,
  mailLines,
  type DeskThings,
} from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { panelDay } from '../contributions/panel-block.ts'
import { isForClients } from './access/access.ts'
import type { FolderActs } from './acts.ts'
import { doFolderAct, folderDeskActs } from './desk-folder-acts.ts'
import { seenAs } from './files/seen-as.ts'
import type { Folders } from './folders.ts'
import type { ChosenFavourite, Folder, FolderUpload, Submission } from './schema.ts'
import { acceptedEndings } from './uploads/file-checks.ts'

/** How many rounds of favourites are shown, and how many files of each. */
const maxRounds = 10
const maxFavourites = 50

/** How many files that were sent are shown. */
const maxUploads = 30

/**
 * Makes the page of a folder: facts, visits, favourites that were sent, emails, and what can be done. What
 * visitors change is in the parts, so a form isn't stale because of a visitor.
 */
export function foldersAtDesk(
  platform: Pick<Platform, 'clock' | 'config' | 'mails' | 'timeline'>,
  {
    folders: { store, counts, favourites, uploads },
    acts,
    panels,
  }: { folders: Folders; acts: FolderActs; panels: ClientFeature['panels'] },
): DeskThings {
  const { config, mails, timeline } = platform

  const visits = ({ id, maxDownloads, downloads }: Folder): DeskLine => {
    const { views, visitors, files, zips } = counts.totals(id)
    const last = counts.days(id, 366).find((day) => day.views > 0)
    return {
      label: 'Visits',
      title:
        views === 0
          ? 'Not opened yet'
          : `${counted(views, 'view')}, ${counted(visitors, 'daily visitor')}`,
      detail: [
        files + zips > 0 && `${counted(files, 'file download')}, ${counted(zips, 'ZIP download')}`,
        maxDownloads !== null && `${downloads} of ${maxDownloads} downloads used`,
      ]
        .filter(Boolean)
        .join(' · '),
      urgent: false,
      at: last === undefined ? null : `${last.day}T12:00:00.000Z`,
      href: null,
    }
  }

  const shown = (folder: Folder): DeskThing => {
    const owners = panels.withFolder(folder)
    const sent = favourites.submissions(folder.id).toReversed()
    const locked = favourites.visitors(folder.id).filter(({ submittedAt }) => submittedAt !== null)
    const unshown = new Set(store.unshown(folder.id))
    return {
      label: 'Folder',
      title: folder.title,
      facts: factsOf(folder, {
        owners,
        state: acts.stateOf(folder),
        withheld: acts.withheldCount(folder),
        siteUrl: config.siteUrl,
      }),
      parts: [
        {
          title: 'Visits',
          lines: [visits(folder), ...unsentLines(folder, favourites.unsent(folder.id))],
        },
        ...sent.slice(0, maxRounds).map((submission) => ({
          title: `Favourites from ${plainLine(submission.name)}, round ${submission.round}`,
          lines: favouriteLines(folder, submission, favourites.ofRound(submission)),
        })),
        { title: 'Emails', lines: mailLines(mails.of('folder', String(folder.id))) },
      ],
      upload: {
        folder: folder.key,
        sections: store.sections(folder.id).flatMap(({ name }) => name || []),
        accept: acceptedEndings.join(),
        lines: uploads
          .latest(folder.id, maxUploads)
          .map((upload) => uploadLine(upload, folder, unshown)),
      },
      acts: folderDeskActs(folder, {
        locked,
        owners,
        clients: acts.clientsOf(folder),
        state: acts.stateOf(folder),
      }),
      history: historyOf(timeline, 'folder', String(folder.id)),
    }
  }

  return {
    name: 'folders',
    async find(id) {
      // Files that are in the folder already are counted, too.
      await uploads.synced()
      const folder = store.find(id)
      return folder && shown(folder)
    },
    async act(id, act, entries, by) {
      const folder = store.find(id)
      if (!folder) throw failure('missing')
      return doFolderAct(platform, { folder, acts }, act, { entries, by })
    },
  }
}

/** What became of a file that was sent. @param unshown paths of pictures that can't be shown */
function uploadLine(
  upload: FolderUpload,
  folder: Folder,
  unshown: ReadonlySet<string | null>,
): DeskLine {
  const { name, section, size, state, result, actor, at } = upload
  const inSection = section === '' ? '' : ` to ${section}`
  const kept = section === '' ? result : result?.slice(section.length + 1)
  const became = {
    added: `added${inSection}${kept === name.normalize('NFC') ? '' : ` as ${kept}`}`,
    same: 'already there, with the same bytes',
    refused: `not added: ${result}`,
    receiving: 'not finished; choose the same file again to go on',
  }[state]
  const seen = state === 'added' ? seenAs(name, folder, unshown.has(result)) : null
  return {
    label: 'File',
    title: name,
    detail: [
      became,
      seen && seenAsTexts[seen],
      state !== 'refused' && bytesText(size),
      plainLine(actor),
    ]
      .filter(Boolean)
      .join(' · '),
    urgent: state === 'refused',
    at: isoOf(at),
    href: null,
  }
}

const seenAsTexts = {
  'held back': 'listed, but held back from clients',
  'name alone': 'no preview: clients see its name alone',
}

function factsOf(
  folder: Folder,
  {
    owners,
    state,
    withheld,
    siteUrl,
  }: { owners: readonly string[]; state: string; withheld: number; siteUrl: string },
): DeskFact[] {
  const { key, alias, client, season, expiresAt, rounds, keepLocation, watermark, fileCount } =
    folder
  const path = paths.folder(alias ?? key)
  return [
    { name: 'Address', text: siteUrl + path, href: path },
    { name: 'State', text: state },
    { name: 'Ends', text: expiresAt === null ? 'never' : `after ${panelDay(expiresAt - 1)}` },
    { name: 'Opens with', text: opensWith(folder, owners) },
    { name: 'Client', text: client ?? '' },
    ...owners.map((panel, index) => ({
      name: index === 0 ? 'Panel' : `Panel ${index + 1}`,
      text: panel,
      href: paths.deskThing('clients', panel),
    })),
    { name: 'Season', text: season ?? '' },
    { name: 'Files', text: `${counted(fileCount, 'file')}, ${bytesText(folder.totalBytes)}` },
    {
      name: 'Downloads',
      text: folder.maxDownloads === null ? 'no limit' : `${folder.maxDownloads} at most`,
    },
    {
      name: 'Location data',
      text: keepLocation ? 'kept in delivered files' : 'removed from delivered files',
    },
    {
      name: 'Watermark',
      text: watermark ? 'on pictures; originals aren’t delivered' : '',
    },
    {
      name: 'Withheld',
      text: withheld === 0 ? '' : `${counted(withheld, 'RAW file')}: pitlane folders show ${key}`,
    },
    {
      name: 'Client told',
      // Whom is gone once they are erased.
      text:
        folder.toldAt === null
          ? ''
          : [panelDay(folder.toldAt), folder.toldTo?.join(', ')].filter(Boolean).join(': '),
    },
    { name: 'Favourites', text: favouriteRounds[rounds] },
  ].filter(({ text }) => text !== '')
}

const favouriteRounds: Readonly<Record<Folder['rounds'], string>> = {
  none: 'off',
  one: 'on, sent once',
  many: 'on, sent as often as they like',
}

function opensWith(folder: Folder, owners: readonly string[]): string {
  const { key, password } = folder
  const code = owners.length > 0 ? 'a code of its clients' : null
  if (password !== null) return ['its password', code].filter(Boolean).join(', or ')
  if (!isForClients(folder, owners)) return 'the link alone'
  return (
    code ??
    `nothing: it’s in no client’s panel any more. Set a password, or pitlane folders set ${key} --anyone`
  )
}

/** Says that clients are still choosing, to staff who might remove files. */
const unsentLines = (
  { key }: Folder,
  { visitors, files }: { visitors: number; files: number },
): DeskLine[] =>
  files === 0
    ? []
    : [
        deskLine(
          'Favourites',
          `${counted(files, 'file')} marked by ${counted(visitors, 'visitor')}, not sent yet`,
          `Ask before you remove one: pitlane folders favourites ${key}`,
        ),
      ]

/** What was sent in a round: its note, then each file with its comment, also one that has left the folder. */
function favouriteLines(
  { key }: Folder,
  { note, at }: Submission,
  favourites: readonly ChosenFavourite[],
): DeskLine[] {
  const hearts = favourites.filter(({ heart }) => heart).length
  const comments = favourites.filter(({ comment }) => comment).length
  return [
    {
      ...deskLine(
        'Sent',
        `${counted(hearts, 'favourite')}, ${counted(comments, 'comment')}`,
        note === null ? '' : plainLine(note),
      ),
      at: isoOf(at),
    },
    ...favourites
      .slice(0, maxFavourites)
      .map(({ path, heart, comment, file }) =>
        deskLine(
          heart ? 'Favourite' : 'Comment',
          path,
          [file === null && 'no longer in the folder', comment && plainLine(comment)]
            .filter(Boolean)
            .join(' · '),
        ),
      ),
    ...(favourites.length > maxFavourites
      ? [
          deskLine(
            'File',
            `${favourites.length - maxFavourites} more`,
            `pitlane folders favourites ${key}`,
          ),
        ]
      : []),
  ]
}
