import { InvalidArgumentError, type Command } from 'commander'
import type { Context } from '#server/context.ts'
import type { Link } from '#server/links/store.ts'
import { utmNames, type Utm } from '#shared/link-rules.ts'
import { clientOf } from './clients.ts'
import type { UseContext } from './command.ts'
import { mustFind, said, fullRow } from './link-views.ts'
import * as options from './options.ts'
import type { Print } from './print.ts'

type LinkOptions = {
  note?: string
  starts?: options.Limit
  expires?: options.Limit
  maxClicks?: { most: number | null }
  client?: string
  forwardQuery?: boolean
} & { [name in `utm${Capitalize<(typeof utmNames)[number]>}`]?: string }

/** `links create`. */
export function addLinkCreate(links: Command, useContext: UseContext, print: Print): void {
  linkOptions(links.command('create <target>'))
    .alias('add')
    .description('make a short link; without --code, six random characters')
    .option('--code <code>', '2 to 64 of A-Z a-z 0-9 - _, looked up without case')
    .addOption(options.by())
    .addOption(options.json())
    .action(
      async (
        target: string,
        { code, by, json, ...told }: LinkOptions & { code?: string; by: string; json?: boolean },
      ) => {
        const context = await useContext()
        const wanted = {
          target,
          ...(code !== undefined && { code }),
          ...fieldsOf(context, told, null),
        }
        const link = await said(
          context.commit((tx) => context.features.links.create(tx, wanted, by)),
        )
        if (json) print.json(fullRow(context, link))
        else print.line(context.features.links.addressOf(link))
      },
    )
}

/** `links edit`, `disable` and `enable`. */
export function addLinkEdit(links: Command, useContext: UseContext, print: Print): void {
  linkOptions(links.command('edit <code>'))
    .description('change what is given; an empty text, "never", "now" and "none" clear')
    .option('--target <address>', 'where it leads')
    .option('--no-forward-query', 'do not hand on the query any more')
    .action(async (code: string, { target, ...told }: LinkOptions & { target?: string }) => {
      const context = await useContext()
      const changes = fieldsOf(context, told, mustFind(context, code))
      const link = await said(
        context.commit((tx) =>
          context.features.links.edit(tx, code, { ...changes, ...(target && { target }) }),
        ),
      )
      print.line(`${link.code}: changed`)
    })

  for (const [verb, disabled, does] of [
    ['disable', true, 'switch links off; they can be switched on again'],
    ['enable', false, 'switch links on again'],
  ] as const) {
    links
      .command(`${verb} <code...>`)
      .description(does)
      .action(async (codes: string[]) => {
        const context = await useContext()
        for (const code of codes) mustFind(context, code)
        await context.commit((tx) => {
          for (const code of codes) context.features.links.edit(tx, code, { disabled })
        })
        for (const code of codes) print.line(`${code}: ${verb}d`)
      })
  }
}

/** The options that `create` and `edit` share. */
function linkOptions(command: Command): Command {
  command
    .option('--note <text>', 'what it is for; staff and the client see it')
    .addOption(options.starts())
    .addOption(options.expires())
    .option('--max-clicks <number>', 'how often people may follow it, or "none"', clicks)
    .option('--client <panel>', 'in whose panel it stands, or "none"')
    .option('--forward-query', 'hand the query of the short address on to the target')
  for (const name of utmNames) command.option(`--utm-${name} <value>`, `adds utm_${name}`)
  return command
}

/** In an object, since commander makes an empty text of null. */
function clicks(text: string): { most: number | null } {
  if (text === 'none') return { most: null }
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Use a number from 1, or "none".')
  return { most: Number(text) }
}

/** What was said, in the store's words; what was not said stays as it is. */
function fieldsOf(context: Context, told: LinkOptions, link: Link | null) {
  const { note, starts, expires, maxClicks, client, forwardQuery } = told
  const utm: Utm = { ...link?.utm }
  for (const name of utmNames) {
    const value = told[`utm${name[0]!.toUpperCase()}${name.slice(1)}` as keyof LinkOptions]
    if (typeof value === 'string') utm[name] = value
  }
  const clientId =
    client === undefined ? undefined : client === 'none' ? null : clientOf(context, client).id
  return {
    ...(note !== undefined && { note }),
    ...(starts !== undefined && { startsAt: starts.at }),
    ...(expires !== undefined && { expiresAt: expires.at }),
    ...(maxClicks !== undefined && { maxClicks: maxClicks.most }),
    ...(clientId !== undefined && { clientId }),
    ...(forwardQuery !== undefined && { forwardQuery }),
    utm,
  }
}
