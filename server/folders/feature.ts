import { dayMs } from '#shared/durations.ts'
import { paths } from '#shared/paths.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import { createFolders, type Folders } from './folders.ts'
import { checkHeldFiles } from './held-files.ts'
import { folderMails, type EndingFolder } from './mails.ts'
import { folderBlock } from './panel-block.ts'
import { folderCountData, folderData } from './personal-data.ts'
import { folderRoutes } from './routes.ts'

/** How long before its end staff are told about a folder; milliseconds. */
const warningMs = 7 * dayMs

/** Shared folders (docs/contract.md, Shared folders). */
export type FolderFeature = Feature & Folders

/** Makes the feature; panels of clients say who may open a folder without a password. */
export function folderFeature(platform: Platform, clients: ClientFeature): FolderFeature {
  const { config, db, clock, commit, keys, mails } = platform
  const folders = createFolders({ db, commit, clock, keys, mails, dataDir: config.dataDir })
  const { store, counts, picks } = folders
  return {
    ...folders,
    name: 'folders',
    routes: (http) => folderRoutes(platform, http, { folders, clients }),
    mailTemplates: folderMails(mailbox(config.mail.staff)),
    jobs: [
      {
        kind: 'folders.forget',
        about: 'forgets selections and visitors whose time is over',
        recurs: { daily: '08:00' },
        run: () =>
          commit((tx) => {
            store.forgetSelections(tx)
            counts.forgetSeen(tx)
          }),
      },
      {
        kind: 'folders.warn',
        about: 'tells staff of folders that end within a week',
        recurs: { daily: '08:00' },
        run: () =>
          commit((tx) => {
            for (const { id, key, title, client, expiresAt } of store.expiring(warningMs)) {
              const data: EndingFolder = { key, title, client, expiresAt: expiresAt! }
              // Once for each end.
              mails.enqueue(tx, 'folderExpiring', { key: `folder-${id}-${expiresAt}`, data })
            }
          }),
      },
    ],
    doctor: [{ check: 'folders', look: () => checkHeldFiles(store, clock()) }],
    panelBlocks: [folderBlock({ store, counts, clock })],
    personalData: [folderData({ picks }), folderCountData],
    disallowedPaths: [paths.folder('')],
    privatePaths: [paths.folder(''), '/api/folders/', '/zip/'],
  }
}
