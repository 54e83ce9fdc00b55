import { Option, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Folder, FolderChange } from '#server/folders/store.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'
import { readSecret } from './secret-input.ts'

/** What a command line says about a folder. */
export type About = {
  title?: string
  client?: string
  season?: string
  alias?: string
  expires?: options.Limit
  password?: boolean
  randomPassword?: boolean
  keepLocation?: boolean
  anyone?: boolean
  downloads?: { most: number | null }
  rounds?: Folder['rounds']
}

/** The options that say something about a folder. */
export const about = (command: Command) =>
  command
    .option('--title <text>', 'what clients read above it')
    .option('--client <name>', 'whom it is for')
    .option('--season <text>', 'season, event or date')
    .option('--alias <name>', 'a nice address; only together with a password')
    .addOption(options.expires())
    .option('--password', 'ask for a password here, or read it from the input')
    .addOption(
      new Option('--random-password', 'make a password and print it this once').conflicts(
        'password',
      ),
    )
    .option(
      '--keep-location',
      'let files leave with position, serial numbers and owner, also camera files that cannot be cleaned',
    )
    .option('--no-keep-location', 'take these out of what leaves, as usual')
    .addOption(
      new Option('--downloads <number>', 'most downloads, or "any"').argParser((text: string) => ({
        most: text === 'any' ? null : options.count(text),
      })),
    )
    .addOption(
      new Option('--rounds <rounds>', 'whether clients may pick favourites, and how often').choices(
        ['none', 'one', 'many'],
      ),
    )
    .addOption(options.json())

/**
 * What a command line changes; the password is asked for.
 * @returns also the password, where it was made here
 */
export async function changeFrom(
  { clock }: Pick<Context, 'clock'>,
  told: About,
): Promise<{ change: FolderChange; password: string | null }> {
  const { title, client, season, alias, expires: ends, anyone, keepLocation, rounds } = told
  const { isAlias } = await import('#server/folders/keys.ts')
  if (typeof alias === 'string' && !isAlias(alias)) {
    throw new Error(
      'An alias has 3 to 64 letters, digits and hyphens, but not exactly 22 letters and digits.',
    )
  }
  if (ends?.at && ends.at <= clock()) throw new Error('That end is in the past.')
  const passwords = await import('#server/folders/passwords.ts')
  const made = told.randomPassword ? passwords.newPassword() : null
  const password = told.password === true ? await readSecret('Password of the folder: ') : made
  if (password !== null) passwords.checkPassword(password)
  const change = {
    ...(title !== undefined && { title }),
    ...(client !== undefined && { client }),
    ...(season !== undefined && { season }),
    ...(alias !== undefined && { alias: (alias as unknown) === false ? null : alias }),
    ...(ends && { expiresAt: ends.at }),
    ...(password !== null && { password: await passwords.hashPassword(password) }),
    ...(told.password === false && { password: null }),
    ...(anyone !== undefined && { anyone: flag(anyone) }),
    ...(keepLocation !== undefined && { keepLocation: flag(keepLocation) }),
    ...(told.downloads && { downloadsMost: told.downloads.most }),
    ...(rounds !== undefined && { rounds }),
  }
  return { change, password: made }
}

const flag = (on: boolean): 0 | 1 => (on ? 1 : 0)

/** For JSON: a password that was made just now. */
export const onlyNow = (password: string | null) => password !== null && { newPassword: password }

/** For people: the same, once. */
export function tellPassword(print: Print, password: string | null): void {
  if (password === null) return
  print.line(`Password: ${password}\nIt is shown this once; keep it or send it now.`)
}
