import { helsinkiIso } from '#shared/dates/helsinki-time.ts'
import type { Platform } from '../feature.ts'
import { eraseMails } from '../mail/erase.ts'
import { mailboxOf } from '../mail/recipient.ts'
import type { PersonalData } from '../contributions/personal-data.ts'
import type { Folders } from './folders.ts'

/** What shared folders keep of people. FavouriteVisitors give a name and no address, so texts are searched. */
export const folderData = (
  { config, mails }: Pick<Platform, 'config' | 'mails'>,
  { favourites }: Pick<Folders, 'favourites'>,
): PersonalData => ({
  name: 'folder favourites',
  policy: [
    {
      what: 'Shared folders',
      data: 'Favourites and comments, the name you send them under, and a keyed hash of the cookie that links them to you',
      ground: 'Our contract with the client (Art. 6(1)(b))',
      kept: 'As long as the folder',
    },
  ],
  forgottenBy: { by: 'removing the folder' },
  find: (email) =>
    favourites.mentioning(email).map(({ at, ...row }) => ({ at: helsinkiIso(at), ...row })),
  erase(tx, email) {
    // The notice to staff repeats them.
    const notices = mails.naming('folderFavourites', email)
    const told = eraseMails(tx, notices, { mails, dataDir: config.dataDir })
    // A folder may be gone before its notices.
    return { erased: favourites.redact(tx, email) || told.erased, afterwards: told.afterwards }
  },
  note: 'Favourites hold no email address; those whose name, note or comments mention it are found.',
})

/** The counts of shared folders, and the hash that keeps a visitor from being counted twice. */
export const folderCountData: PersonalData = {
  name: 'folder counts',
  policy: [
    {
      what: 'Counting in shared folders',
      data: 'How often folders were opened and files downloaded, by day; a daily keyed hash so one visitor isn’t counted twice',
      ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
      kept: 'The counts, which identify no one, as long as the folder; the hash for two days',
    },
  ],
  forgottenBy: { job: 'folders.forget' },
  find: () => [],
  note: 'Daily counts of folders identify no one.',
}

/** When a known visitor was here last, so that what is new can be marked. */
export const folderVisitData: PersonalData = {
  name: 'folder visits',
  policy: [
    {
      what: 'What is new in shared folders',
      data: 'When you last looked, with a keyed hash of your code or of the cookie of your favourites',
      ground: 'Our contract with the client (Art. 6(1)(b))',
      kept: 'As long as the folder, 180 days at most',
    },
  ],
  forgottenBy: { job: 'folders.forget' },
  find: () => [],
  note: 'Visits of folders hold no name and no address.',
}

/** Whom staff have told that a gallery is ready. */
export const readyMailData = ({ store }: Pick<Folders, 'store'>): PersonalData => ({
  name: 'told galleries',
  policy: [
    {
      what: 'Emails about your gallery',
      data: 'The address we told that a gallery is ready, and when',
      ground: 'Our contract with the client (Art. 6(1)(b))',
      kept: 'As long as the folder',
    },
  ],
  forgottenBy: { by: 'removing the folder' },
  find: (email) =>
    store.toldOf(email).map(({ title, toldAt }) => ({ at: helsinkiIso(toldAt!), gallery: title })),
  erase(tx, email) {
    const folders = store.toldOf(email)
    for (const folder of folders) {
      const left = folder.toldTo!.filter((each) => mailboxOf(each) !== mailboxOf(email))
      store.change(tx, folder, { toldTo: left.length > 0 ? left : null })
    }
    return { erased: folders.length }
  },
})

/** Who of the staff sent which file to a folder. */
export const uploadData = ({ uploads }: Pick<Folders, 'uploads'>): PersonalData => ({
  name: 'folder uploads',
  policy: [],
  forgottenBy: { job: 'folders.forget' },
  find: (email) =>
    uploads
      .mentioning(email)
      .map(({ at, actor, name, state }) => ({ at: helsinkiIso(at), actor, name, state })),
  erase(tx, email) {
    const found = uploads.mentioning(email).filter(({ state }) => state !== 'receiving')
    for (const { id } of found) uploads.remove(tx, id)
    return { erased: found.length }
  },
  note: 'Uploads to folders name the member of staff who sent a file; they’re forgotten after 30 days.',
})
