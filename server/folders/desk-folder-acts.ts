import * as z from 'zod/mini'
import type { DeskAct } from '#shared/desk/things.ts'
import { failure } from '#shared/failures.ts'
import { line, optionalLine } from '#shared/forms/fields.ts'
import type { Entries } from '#shared/forms/form.ts'
import { lastDayField, lastDayIn, readEntries } from '../contributions/desk-source.ts'
import type { Platform } from '../feature.ts'
import { checkPassword } from '../secrets/passwords.ts'
import { isForClients } from './access/access.ts'
import type { FolderActs } from './acts.ts'
import type { Folder, FolderVisitor } from './schema.ts'

/** What can be done with a folder now. */
export function folderDeskActs(
  folder: Folder,
  {
    locked,
    owners,
    clients,
    state,
  }: {
    locked: readonly FolderVisitor[]
    owners: readonly string[]
    /** The addresses of its clients. */
    clients: readonly string[]
    state: string
  },
): DeskAct[] {
  const { title, client, season, expiresAt, password, alias, fileCount, toldTo } = folder
  const withoutPassword = !isForClients(folder, owners)
    ? 'Anyone with the link can then open it.'
    : owners.length > 0
      ? 'It then opens with its clients’ codes.'
      : 'No one can open it then: it’s in no client’s panel any more.'
  const acts: (DeskAct | false)[] = [
    state === 'open' &&
      fileCount > 0 && {
        act: 'ready',
        label: toldTo === null ? 'Tell the client it’s ready' : 'Tell the client again',
        hint: 'One email to each address, with the link and closing date, never the password. Each address is told once about the gallery as it is now.',
        fields: [
          {
            name: 'to',
            label: 'Email to',
            kind: 'text',
            value: (toldTo ?? clients).join(', '),
            required: true,
          },
        ],
      },
    {
      act: 'rename',
      label: 'Change the title',
      fields: [
        { name: 'title', label: 'Title', kind: 'text', value: title, required: true },
        { name: 'client', label: 'Client', kind: 'text', value: client ?? '' },
        { name: 'season', label: 'Season, event or date', kind: 'text', value: season ?? '' },
      ],
    },
    {
      act: 'ends',
      label: 'Change the expiry',
      fields: [lastDayField(expiresAt)],
    },
    {
      act: 'password',
      label: password === null ? 'Set a password' : 'Change the password',
      hint:
        password === null
          ? 'It isn’t shown again. Send it to everyone who has the link.'
          : 'It isn’t shown again. Anyone who entered the old one has to enter the new one.',
      fields: [
        {
          name: 'password',
          label: 'Password',
          kind: 'password',
          required: true,
          hint: '8 to 200 characters.',
        },
      ],
    },
    password !== null &&
      alias === null && {
        act: 'no-password',
        label: 'Remove the password',
        hint: withoutPassword,
        isDanger: true,
        fields: [],
      },
    locked.length > 0 && {
      act: 'reopen',
      label: 'Reopen favourites for another round',
      fields: [
        {
          name: 'visitor',
          label: 'Whose favourites',
          kind: 'select',
          required: true,
          options: locked.map(({ id, name, round }) => ({
            value: String(id),
            label: `${name ?? `Visitor ${id}`}, round ${round}`,
          })),
        },
      ],
    },
    state === 'revoked'
      ? {
          act: 'enable',
          label: 'Enable the folder',
          hint: 'It opens again until it expires.',
          fields: [],
        }
      : {
          act: 'disable',
          label: 'Disable the folder',
          hint: 'It can’t be opened until it’s enabled.',
          isDanger: true,
          fields: [],
        },
    {
      act: 'renew',
      label: 'Give it a new address',
      hint: `The old link stops working now${alias === null ? '' : ', and so does its alias'}. Panels and favourites stay as they are. Send the new link to everyone who needs it.`,
      isDanger: true,
      fields: [],
    },
  ]
  return acts.filter((act) => act !== false)
}

const naming = z.object({
  title: line('Please enter a title', 200),
  client: optionalLine(200),
  season: optionalLine(100),
})

/** Does an act of {@link folderDeskActs}. @returns the folder's new key, where it has one */
export async function doFolderAct(
  { clock }: Pick<Platform, 'clock'>,
  { folder, acts }: { folder: Folder; acts: FolderActs },
  act: string,
  { entries, by }: { entries: Entries; by: string },
): Promise<{ id: string } | undefined> {
  switch (act) {
    case 'rename': {
      const { title, client = null, season = null } = readEntries(naming, entries)
      await acts.change(folder, { title, client, season }, by)
      return undefined
    }
    case 'ready':
      await acts.tellReady(folder, (entries.to ?? '').split(/[\s,;]+/).slice(0, 50), by)
      return undefined
    case 'ends':
      await acts.change(folder, { expiresAt: lastDayIn(entries, clock()) }, by)
      return undefined
    case 'password': {
      const password = passwordIn(entries)
      await acts.change(folder, { password: async () => password }, by)
      return undefined
    }
    case 'no-password':
      await acts.change(folder, { password: null }, by)
      return undefined
    case 'reopen':
      await acts.reopenFavourites(folder, visitorIn(entries), by)
      return undefined
    case 'disable':
      await acts.revoke(folder, by)
      return undefined
    case 'enable':
      await acts.enable(folder, by)
      return undefined
    case 'renew':
      return { id: (await acts.renew(folder, by)).key }
    default:
      throw failure('invalid', { message: `A folder has no ${act}.` })
  }
}

/** @throws invalid for one that is too short or too long */
function passwordIn({ password = '' }: Entries): string {
  try {
    checkPassword(password)
    return password
  } catch (error) {
    const { message } = error as Error
    throw failure('invalid', { message, errors: { password: message } })
  }
}

/** @throws invalid for what is not a visitor's number */
function visitorIn({ visitor = '' }: Entries): number {
  if (/^\d{1,9}$/.test(visitor)) return Number(visitor)
  const message = 'Please choose whose favourites'
  throw failure('invalid', { message, errors: { visitor: message } })
}
