import { InvalidArgumentError, Option, type Command } from 'commander'
import { counted } from '#shared/text/counted.ts'
import type { Context } from '#server/context.ts'
import type { Link } from '#server/links/schema.ts'
import { utmNames, type Utm } from '#shared/link-rules.ts'
import { clientOf } from '../clients/clients.ts'
import type { UseContext } from '../common/command.ts'
import { harmless } from '../common/terminal.ts'
import { readSecret } from '../common/secret-input.ts'
import { linkNamed, withProblems, fullRow } from './views.ts'
import * as options from '../common/options.ts'
import type { Print } from '../common/print.ts'

type LinkOptions = {
  note?: string
  starts?: options.Limit
  expires?: options.Limit
  maxClicks?: { max: number | null }
  client?: string
  forwardQuery?: boolean
  tags?: string
  password?: boolean
  randomPassword?: boolean
} & { [name in `utm${Capitalize<(typeof utmNames)[number]>}`]?: string }

/** `links create`. */
export function addLinkCreate(links: Command, useContext: UseContext, print: Print): void {
  linkOptions(links.command('create <target>'))
    .alias('add')
    .description('create a short link (random 6-character code without --code)')
    .option('--code <code>', '2 to 64 of A-Z a-z 0-9 - _, case-insensitive')
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        target: string,
        { code, by, json, ...flags }: LinkOptions & { code?: string; by: string; json?: boolean },
      ) => {
        const context = await useContext()
        const password = await passwordOf(context, flags)
        const wanted = {
          target,
          ...(code !== undefined && { code }),
          ...fieldsOf(context, flags, null),
          ...(password !== undefined && { password }),
        }
        const link = await withProblems(context.features.links.acts.create(wanted, by))
        const drawn = flags.randomPassword ? password : null
        if (json) print.json({ ...fullRow(context, link), ...(drawn && { newPassword: drawn }) })
        else print.line(context.features.links.addressOf(link))
        if (!json) printPassword(print, drawn)
      },
    )
}

/** `links edit`, `disable` and `enable`. */
export function addLinkEdit(links: Command, useContext: UseContext, print: Print): void {
  linkOptions(links.command('edit <code>'))
    .description('change a link; empty text, "never", "now" and "none" clear a field')
    .option('--target <address>', 'destination URL')
    .option('--no-forward-query', 'stop forwarding the query string')
    .option('--no-password', 'remove the password')
    .addOption(options.by())
    .action(
      async (
        code: string,
        { target, by, ...flags }: LinkOptions & { target?: string; by: string },
        verb: Command,
      ) => {
        options.mustChangeSomething(verb)
        const context = await useContext()
        const before = linkNamed(context, code)
        const password = await passwordOf(context, flags)
        const changes = {
          ...fieldsOf(context, flags, before),
          ...(target && { target }),
          ...(password !== undefined && { password }),
        }
        const link = await withProblems(context.features.links.acts.edit(before.code, changes, by))
        print.line(`${link.code}: changed`)
        printPassword(print, flags.randomPassword ? password : null)
      },
    )

  for (const [verb, disabled, does] of [
    ['disable', true, 'disable links (undo with enable)'],
    ['enable', false, 'enable disabled links'],
  ] as const) {
    links
      .command(`${verb} <code...>`)
      .description(does)
      .addOption(options.by())
      .action(async (codes: string[], { by }: { by: string }) => {
        const context = await useContext()
        const found = codes.map((code) => linkNamed(context, code).code)
        await context.features.links.acts.setDisabled(found, disabled, by)
        for (const code of found) print.line(`${code}: ${verb}d`)
      })
  }
}

/** `links rename` and `remove`. */
export function addLinkRemoval(links: Command, useContext: UseContext, print: Print): void {
  links
    .command('rename <code> <new>')
    .description('change a link’s code; the old address stops working')
    .addOption(options.by())
    .action(async (code: string, wanted: string, { by }: { by: string }) => {
      const context = await useContext()
      const { acts, addressOf } = context.features.links
      const before = linkNamed(context, code)
      const link = await withProblems(acts.rename(before.code, wanted, by))
      print.line(`${before.code} → ${addressOf(link)}`)
    })

  links
    .command('remove <code...>')
    .description('remove links and their clicks (disable keeps both)')
    .addOption(options.yes())
    .addOption(options.by())
    .action(async (codes: string[], { yes, by }: { yes?: boolean; by: string }) => {
      const context = await useContext()
      const found = codes.map((code) => linkNamed(context, code, { exactly: true }))
      if (!yes) {
        for (const { code, target, human } of found) {
          print.line(harmless(`${code}: ${counted(human, 'click')}, ${target}`))
        }
        print.line(options.dryRun(options.toAll('remove', found.length)))
        return
      }
      const removed = found.map(({ code }) => code)
      await context.features.links.acts.remove(removed, by)
      for (const code of removed) print.line(`${code}: removed`)
    })
}

/** The options that `create` and `edit` share. */
function linkOptions(command: Command): Command {
  command
    .option('--note <text>', 'note, visible to staff and the client')
    .addOption(options.starts())
    .addOption(options.expires())
    .option('--max-clicks <number>', 'click limit, or "none"', clicks)
    .option('--client <panel>', 'client whose panel lists it, or "none"')
    .option('--forward-query', 'forward the query string')
    .option('--tags <tags>', 'tags, comma-separated')
    .option('--password', 'set a password (asked here, or read from standard input)')
    .addOption(
      new Option('--random-password', 'generate a password and print it once').conflicts(
        'password',
      ),
    )
  for (const name of utmNames) command.option(`--utm-${name} <value>`, `adds utm_${name}`)
  return command
}

/** The password that the options ask for; null takes it away, undefined leaves it. */
async function passwordOf(
  { features: { links } }: Context,
  { password, randomPassword }: LinkOptions,
): Promise<string | null | undefined> {
  if (randomPassword) return links.newPassword()
  if (password === false) return null
  return password ? readSecret('Password of the link: ') : undefined
}

/** A password that was drawn just now, once. */
function printPassword(print: Print, password: string | null | undefined): void {
  if (password) print.line(`Password: ${password}\nShown only once: save it or send it now.`)
}

/** In an object, since commander makes an empty text of null. */
function clicks(text: string): { max: number | null } {
  if (text === 'none') return { max: null }
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Use a number from 1, or "none".')
  return { max: Number(text) }
}

/** What was said, in the store's words; what was not said stays as it is. */
function fieldsOf(context: Context, flags: LinkOptions, link: Link | null) {
  const { note, starts, expires, maxClicks, client, forwardQuery, tags } = flags
  const utm: Utm = { ...link?.utm }
  for (const name of utmNames) {
    const value = flags[`utm${name[0]!.toUpperCase()}${name.slice(1)}` as keyof LinkOptions]
    if (typeof value === 'string') utm[name] = value
  }
  const clientId =
    client === undefined ? undefined : client === 'none' ? null : clientOf(context, client).id
  return {
    ...(note !== undefined && { note }),
    ...(starts !== undefined && { startsAt: starts.at }),
    ...(expires !== undefined && { expiresAt: expires.at }),
    ...(maxClicks !== undefined && { maxClicks: maxClicks.max }),
    ...(clientId !== undefined && { clientId }),
    ...(forwardQuery !== undefined && { forwardQuery }),
    ...(tags !== undefined && { tags: tags.split(',') }),
    utm,
  }
}
