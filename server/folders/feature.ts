import type { Feature, Platform } from '../feature.ts'
import { mailbox } from '../mail/message.ts'
import type { Folders } from './folders.ts'
import { folderMails, type EndingFolder } from './mails.ts'
import { folderBlock } from './panel-block.ts'
import { folderData } from './personal-data.ts'

/** How long before its end staff are told about a folder; milliseconds. */
const warning = 7 * 86_400_000

/** Shared folders: their mails and block, and what is done for them each day. */
export function folderFeature(
  { config, clock, commit, mails }: Platform,
  { store, counts, picks }: Folders,
): Feature {
  return {
    name: 'folders',
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
            for (const { id, key, title, client, expiresAt } of store.expiring(warning)) {
              const data: EndingFolder = { key, title, client, expiresAt: expiresAt! }
              // Once for each end.
              mails.enqueue(tx, 'folderExpiring', { key: `folder-${id}-${expiresAt}`, data })
            }
          }),
      },
    ],
    panelBlocks: [folderBlock({ store, counts, clock })],
    personalData: [folderData({ picks })],
  }
}
