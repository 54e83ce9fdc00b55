import { dayMs } from '#shared/dates/durations.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import { inBatches } from '../db/in-batches.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import { createFolderActs, type FolderActs } from './acts.ts'
import { folderDesk } from './desk.ts'
import { foldersAtDesk } from './desk-folder.ts'
import { createFolders, type Folders } from './folders.ts'
import { checkWithheldFiles } from './files/withheld.ts'
import { folderMails, type EndingFolder } from './mails.ts'
import { folderBlock } from './panel-block.ts'
import {
  folderCountData,
  folderData,
  folderVisitData,
  readyMailData,
  uploadData,
} from './personal-data.ts'

/** How long before a folder expires staff get an email, in milliseconds. */
const warningMs = 7 * dayMs

/** Shared folders (docs/contract.md, Shared folders). */
export type FolderFeature = Feature &
  Folders & {
    /** What staff do with folders. */
    readonly acts: FolderActs
  }

/** @param clients whose panels decide who opens a folder without a password */
export function folderFeature(platform: Platform, clients: ClientFeature): FolderFeature {
  const { config, clock, commit, mails } = platform
  const folders = createFolders(platform, { dataDir: config.dataDir })
  const { store, counts, favourites, visits, uploads } = folders
  const acts = createFolderActs(platform, folders, clients)
  const { panels } = clients
  const things = foldersAtDesk(platform, { folders, acts, panels })
  return {
    ...folders,
    acts,
    name: 'folders',
    async routes(http) {
      const { folderRoutes } = await import('./routes.ts')
      folderRoutes(platform, http, { folders, clients })
    },
    mailTemplates: folderMails(mailbox(config.mail.staff), {
      find: store.find,
      // By a wrong clock, every folder would have ended.
      momentFor: ({ queuedAt }) => (platform.siteClock.doubt() ? queuedAt : clock()),
    }),
    jobs: [
      {
        kind: 'folders.forget',
        about:
          'deletes expired ZIP selections, visitor hashes, old visits, records of old uploads and halves of files that a kill left',
        recurs: { daily: '03:30' },
        async run() {
          await inBatches(commit, store.forgetSelections)
          await inBatches(commit, counts.forgetSeen)
          await inBatches(commit, visits.forget)
          await uploads.forgetOld()
        },
      },
      {
        kind: 'folders.uploads',
        about: 'deletes abandoned uploads to folders',
        recurs: { everyMinutes: 30 },
        run: uploads.tidy,
      },
      {
        kind: 'folders.warn',
        about:
          'emails staff, and clients who were told of them, about folders that expire within a week',
        recurs: { daily: '08:00' },
        run: () =>
          commit((tx) => {
            for (const folder of store.expiring(warningMs)) {
              const { id, key, title, client, expiresAt } = folder
              const data: EndingFolder = { key, title, client, expiresAt: expiresAt! }
              // Once for each end.
              mails.enqueue(tx, 'folderExpiring', {
                key: `folder-${id}-${expiresAt}`,
                about: { thing: 'folder', id: String(id) },
                data,
                toStaff: true,
              })
              acts.tellEnding(tx, folder)
            }
          }),
      },
    ],
    signs: [
      {
        kind: 'folders',
        what: 'entered folder passwords and ZIP links',
        purposes: ['folder-entry', 'folder-zip'],
      },
    ],
    doctor: [{ check: 'folders', look: () => checkWithheldFiles(store) }],
    thingNames: { folder: (id) => store.byNumber(Number(id))?.title ?? null },
    desk: folderDesk(platform, { store, panels, things }),
    panelBlocks: [folderBlock({ store, counts, clock })],
    personalData: [
      folderData(platform, { favourites }),
      folderCountData,
      folderVisitData,
      readyMailData({ store }),
      uploadData({ uploads }),
    ],
    start: uploads.resume,
    close: uploads.close,
    disallowedPaths: [paths.folder('')],
    privatePaths: [
      paths.folder(''),
      paths.deskThing('folders', ''),
      '/api/desk/things/folders/',
      `${paths.deskUploads()}/`,
      '/api/folders/',
      '/zip/',
    ],
  }
}
