import type { Code } from '#server/clients/schema.ts'
import type { Context } from '#server/context.ts'
import { findByName } from '../common/named.ts'
import { harmless } from '../common/terminal.ts'

/**
 * A code by its number, or by its label or client where that has no other one that works. The label of a
 * revoked code means no other one: a command that is repeated would hit the next code of the client.
 * @throws when there is none, or it is revoked; AmbiguousName when there are several
 */
export function codeOf(context: Context, given: string): Code {
  const { codes, acts } = context.features.clients
  const numbered = /^\d{1,9}$/.test(given) ? codes.find(Number(given)) : null
  if (numbered) return numbered
  const isRevoked = (code: Code) => acts.codeState(code) === 'revoked'
  const all = codes.list()
  const working = all.filter((code) => !isRevoked(code))
  const name = given.trim().toLowerCase()
  const isLabelled = (code: Code) => name !== '' && code.label.toLowerCase() === name
  const former = all.findLast((code) => isRevoked(code) && isLabelled(code))
  if (former && !working.some(isLabelled)) {
    throw new Error(`Code ${former.id}, ${harmless(former.label)}, is revoked.`)
  }
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
