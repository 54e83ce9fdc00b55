import { createHash } from 'node:crypto'
import type { DeskThing, DeskThingView } from '#shared/desk-things.ts'
import type { Entries } from '#shared/form.ts'
import { failure } from '#shared/failures.ts'
import type { ClientFeature } from '../clients/feature.ts'
import type { DeskSource, DeskThings } from '../desk-source.ts'
import { sessionWith, type RequestContext } from '../http/request-context.ts'

/** A thing that somebody may see and change. */
type Opened = { source: DeskThings; id: string; name: string | null }

/** The pages of things at the desk: who opens which, and whether it is still what they saw. */
export function createThings(
  sources: () => readonly DeskSource[],
  { sessionIn }: Pick<ClientFeature, 'sessionIn'>,
) {
  /**
   * A thing by the last two parts of its address.
   * @param idOrToken what names it in the session of staff, or the token of the link in staff's mail
   * @throws signed-out or forbidden for a name without the scope `desk`; missing; gone for a link that
   *   has ended
   */
  const open = (thing: string, idOrToken: string, context: RequestContext): Opened => {
    const source = sources().find(({ things }) => things?.name === thing)?.things
    const session = sessionIn(context)
    const name = session?.scopes.has('desk') ? session.actor : null
    const linked = source?.ofLink?.(idOrToken) ?? null
    if (linked === null) sessionWith('desk', context)
    if (!source) throw missing()
    return { source, id: linked ?? idOrToken, name }
  }

  const shown = async ({ source, id, name }: Opened): Promise<DeskThingView> => {
    const found = await source.find(id)
    if (!found) throw missing()
    return { ...found, state: fingerprint(found), actor: name }
  }

  return {
    view: (thing: string, id: string, context: RequestContext): Promise<DeskThingView> =>
      shown(open(thing, id, context)),

    /**
     * Does an act.
     * @returns what staff are told once, such as a new code; null for nothing
     * @throws invalid without a name; clash for an act that the thing doesn't offer, or when it has
     *   changed since it was shown
     */
    async act(
      {
        thing,
        id,
        act,
        state,
        by = '',
        entries,
      }: { thing: string; id: string; act: string; state: string; by?: string; entries: Entries },
      context: RequestContext,
    ): Promise<string | null> {
      const opened = open(thing, id, context)
      const view = await shown(opened)
      if (state !== view.state || !view.acts.some((each) => each.act === act)) {
        throw failure('clash', {
          message: 'Somebody has changed this meanwhile. Check what it says now, then try again.',
        })
      }
      const actor = opened.name ?? by.trim()
      if (actor === '') {
        throw failure('invalid', {
          message: 'Please enter your name',
          errors: { by: 'Please enter your name' },
        })
      }
      return (await opened.source.act(opened.id, act, entries, actor)) ?? null
    },

    /** The page that a link in a staff mail opens. @throws missing for every other text */
    linkTarget(token: string): string {
      for (const source of sources()) {
        const href = source.linkTarget?.(token)
        if (href) return href
      }
      throw missing()
    },
  }
}

/**
 * Tells one state of a thing from another: by what it is, what can be done, and what was done. Parts
 * may change meanwhile, such as an email that has been sent.
 */
const fingerprint = ({ title, facts, acts, history }: DeskThing): string =>
  createHash('sha256')
    .update(JSON.stringify([title, facts, acts.map(({ act }) => act), history]))
    .digest('base64url')
    .slice(0, 20)

const missing = () => failure('missing', { message: 'There is nothing at this address.' })
