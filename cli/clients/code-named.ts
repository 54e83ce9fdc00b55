import type { Code } from '#server/clients/schema.ts'
import type { Context } from '#server/context.ts'
import { findByName } from '../common/named.ts'

/**
 * A code by its number, or by its label or client where that has no other one that works.
 * @throws when there is none; AmbiguousName when there are several
 */
export function codeOf(context: Context, given: string): Code {
  const { codes, acts } = context.features.clients
  const numbered = /^\d{1,9}$/.test(given) ? codes.find(Number(given)) : null
  if (numbered) return numbered
  const working = codes.list().filter((code) => acts.codeState(code) !== 'revoked')
  return findByName('Code', given, working, {
    namesOf: namesOf(context),
    about: ({ id, clientId, label }) =>
      `${id}  ${context.features.clients.find(clientId)!.panel}  ${label}`.trimEnd(),
  })
}

/** What people know a code by. */
export const namesOf =
  ({ features: { clients } }: Context) =>
  ({ clientId, label }: Pick<Code, 'clientId' | 'label'>) => {
    const { panel, name, emails } = clients.find(clientId)!
    return [label, panel, name, ...emails]
  }
