import { InvalidArgumentError, type Command } from 'commander'
import type { ClientFeature } from '#server/clients/feature.ts'
import type { UseContext } from '../common/command.ts'
import { searchOptions, searched, type SearchFlags } from '../common/list.ts'
import * as options from '../common/options.ts'
import { minute, when, type Print } from '../common/print.ts'
import { codeOf, namesOf } from './code-named.ts'

/** `codes sessions` and `codes end-sessions`: who is signed in. */
export function addSessions(codes: Command, useContext: UseContext, print: Print): void {
  searchOptions(codes.command('sessions [code]'))
    .description('list open sessions, or those of one code, last used first')
    .action(async (given: string | undefined, flags: SearchFlags) => {
      const { json, limit, search, since = 0 } = flags
      const context = await useContext()
      const { sessionActs } = context.features.clients
      const code = given === undefined ? null : codeOf(context, given)
      const found = sessionActs.list(code).filter(({ createdAt }) => createdAt >= since)
      const named = namesOf(context)
      print.list(
        searched(found, search, (session) => [session.who, session.browser, ...named(session)]),
        {
          json,
          limit,
          what: 'sessions',
          isJsonOldestFirst: false,
          none: 'No one is signed in.',
          row: tableRow,
          full: fullRow,
        },
      )
    })

  codes
    .command('end-sessions [sessions...]')
    .description('end sessions by number, or all of a code; the code still works')
    .option('--code <code>', 'every session of this code')
    .addOption(options.by())
    .action(
      async (
        given: readonly string[],
        { code: ofCode, by }: { code?: string; by: string },
        command: Command,
      ) => {
        if ((ofCode === undefined) === (given.length === 0)) {
          command.error('error: name sessions by number, or use --code', { exitCode: 2 })
        }
        const context = await useContext()
        const { sessionActs } = context.features.clients
        if (ofCode === undefined) {
          const ids = given.map(numberOf)
          await sessionActs.end(ids, by)
          for (const id of ids) print.line(`${id}: ended`)
          return
        }
        const code = codeOf(context, ofCode)
        const ended = await sessionActs.endOf(code, by)
        print.line(`Code ${code.id}: ${ended} ${ended === 1 ? 'session' : 'sessions'} ended`)
      },
    )
}

type ListedSession = ReturnType<ClientFeature['sessionActs']['list']>[number]

function numberOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError(`Session not found: ${text}. codes sessions lists their numbers.`)
}

const fullRow = (session: ListedSession) => ({
  session: session.id,
  code: session.codeId,
  label: session.label,
  client: session.panel,
  who: session.who,
  scopes: session.scopes.join(','),
  since: when(session.createdAt),
  lastUsed: when(session.seenAt),
  network: session.network,
  browser: session.browser,
})

const tableRow = (session: ListedSession) => ({
  session: session.id,
  code: session.codeId,
  who: session.who ?? (session.label || session.name),
  since: minute(session.createdAt),
  'last used': minute(session.seenAt),
  network: session.network ?? '',
  browser: session.browser ?? '',
})
