import { createHash } from 'node:crypto'
import { deskPersonPath } from '#shared/desk/people.ts'
import type { DeskOutcome, DeskThing, DeskThingView } from '#shared/desk/things.ts'
import type { Entries } from '#shared/forms/form.ts'
import { failure } from '#shared/failures.ts'
import { plainLine } from '#shared/text/text.ts'
import type { ClientFeature } from '../clients/feature.ts'
import { linkedPaths } from '#shared/linked-paths.ts'
import type { DeskFile, DeskSource, DeskThings } from '../contributions/desk-source.ts'
import { sessionWith, type RequestContext } from '../http/request-context.ts'

/** A thing that someone may see and change. */
type Opened = { source: DeskThings; id: string; given: string; name: string | null }

/** The pages of things at the desk: who opens which, and whether it is still what they saw. */
export function createThings(
  sources: () => readonly DeskSource[],
  { sessionIn }: Pick<ClientFeature, 'sessionIn'>,
) {
  /**
   * A thing by the last two parts of its address.
   * @param idOrToken what names it in the session of staff, or the token of the link in staff's email
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
    return { source, id: linked ?? idOrToken, given: idOrToken, name }
  }

  const shown = async ({ source, id, given, name }: Opened): Promise<DeskThingView> => {
    const found = await source.find(id)
    if (!found) throw missing()
    // A link opens the thing's files, too, by the token that it came with.
    const own = linkedPaths.deskFile(source.name, id, '')
    const parts =
      given === id
        ? found.parts
        : found.parts.map(({ title, lines }) => ({
            title,
            lines: lines.map((line) =>
              line.href?.startsWith(own)
                ? {
                    ...line,
                    href:
                      linkedPaths.deskFile(source.name, given, '') + line.href.slice(own.length),
                  }
                : line,
            ),
          }))
    const state = fingerprint(found)
    if (name !== null) return { ...found, parts, state, actor: name }
    // The link in an email doesn't open the pages of people, so their address leads to an email.
    const facts = found.facts.map((fact) =>
      fact.href?.startsWith(deskPersonPath('')) ? { ...fact, href: `mailto:${fact.text}` } : fact,
    )
    const acts = found.acts.filter(({ isForDesk }) => !isForDesk)
    return { ...found, facts, parts, acts, state, actor: null }
  }

  const inTurn = createTurns()

  return {
    view: (thing: string, id: string, context: RequestContext): Promise<DeskThingView> =>
      shown(open(thing, id, context)),

    /** A file of a thing, with the same rights as the thing itself. @throws as opening it, and what writing it throws */
    async file(
      thing: string,
      id: string,
      name: string,
      context: RequestContext,
    ): Promise<DeskFile> {
      const { source, id: opened } = open(thing, id, context)
      const found = (await source.file?.(opened, name)) ?? null
      if (!found) throw missing()
      return found
    },

    /**
     * Does an act.
     * @returns what staff are told once, and what names the thing from now on
     * @throws invalid without a name; changed for an act that the thing doesn't offer, or when it has
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
    ): Promise<DeskOutcome> {
      const opened = open(thing, id, context)
      return inTurn(`${thing}/${opened.id}`, async () => {
        const view = await shown(opened)
        if (state !== view.state || !view.acts.some((each) => each.act === act)) {
          const last = view.history.at(-1)
          throw failure('changed', {
            message: `This has changed since you opened it${last ? ` (last entry: ${last.text})` : ''}. Check what it says now, then try again.`,
          })
        }
        const actor = opened.name ?? plainLine(by)
        if (actor === '') {
          throw failure('invalid', {
            message: 'Please enter your name',
            errors: { by: 'Please enter your name' },
          })
        }
        const outcome = (await opened.source.act(opened.id, act, entries, actor)) ?? {}
        const {
          notice = null,
          id: named = opened.id,
          preview = null,
        } = typeof outcome === 'string' ? { notice: outcome } : outcome
        if (preview) return { success: true, notice, id: opened.id, preview: { ...preview, state } }
        if ((await opened.source.find(named)) === null) return { success: true, notice, id: null }
        return { success: true, notice, id: named === opened.id ? id : named }
      })
    },

    /** The page that a link in a staff email opens. @throws missing for every other text */
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
 * Creates a queue per thing, so that of two acts sent at once the second sees the result of the first.
 */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async <Value>(thing: string, work: () => Promise<Value>): Promise<Value> => {
    const mine = (last.get(thing) ?? Promise.resolve()).then(work, work)
    last.set(thing, mine)
    try {
      return await mine
    } finally {
      if (last.get(thing) === mine) last.delete(thing)
    }
  }
}

/**
 * Tells one state of a thing from another: by what it is, what can be done and what follows from it, and
 * what was done. Parts may change meanwhile, such as an email that has been sent.
 */
const fingerprint = ({ title, facts, acts, history }: DeskThing): string =>
  createHash('sha256')
    .update(JSON.stringify([title, facts, acts.map(({ act, hint }) => [act, hint]), history]))
    .digest('base64url')
    .slice(0, 20)

const missing = () => failure('missing', { message: 'Nothing found at this address.' })
