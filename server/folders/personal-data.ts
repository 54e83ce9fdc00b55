import { helsinkiIso } from '#shared/helsinki-time.ts'
import type { PersonalData } from '../personal-data.ts'
import type { Folders } from './folders.ts'

/** What shared folders keep of people. Pickers give a name and no address, so texts are searched. */
export const folderData = ({ picks }: Pick<Folders, 'picks'>): PersonalData => ({
  name: 'folder picks',
  policy: [
    {
      what: 'Shared folders',
      data: 'Favourites and comments, the name under which you send them, and a keyed hash of the cookie by which we know them again',
      ground: 'Our contract with the client (Art. 6(1)(b))',
      kept: 'As long as the folder',
    },
  ],
  forgottenBy: { by: 'removing the folder' },
  find: (email) =>
    picks.mentioning(email).map(({ at, ...row }) => ({ at: helsinkiIso(at), ...row })),
  erase: (tx, email) => ({ erased: picks.redact(tx, email) }),
  note: 'Picks carry no address; those whose name, note or comments mention it are found.',
})

/** The counts of shared folders, and the hash that keeps a visitor from being counted twice. */
export const folderCountData: PersonalData = {
  name: 'folder counts',
  policy: [
    {
      what: 'Counting in shared folders',
      data: 'How often folders were opened and files fetched, by day; a keyed hash of the day that keeps one visitor from counting twice',
      ground: 'Our legitimate interest in knowing what is used (Art. 6(1)(f))',
      kept: 'The counts, which name nobody, as long as the folder; the hash for two days',
    },
  ],
  forgottenBy: { job: 'folders.forget' },
  find: () => [],
  note: 'Counts by day of folders name nobody.',
}
