import { minuteMs } from '#shared/dates/durations.ts'
import { emailAddress } from '#shared/forms/fields.ts'
import { failure } from '#shared/failures.ts'
import { officeTime } from '#shared/dates/helsinki-time.ts'
import { paths } from '#shared/paths.ts'
import { idleScopes, type Scope } from '#shared/clients/secret-code.ts'
import { slugOf } from '#shared/text/slug.ts'
import { oneLine } from '#shared/text/text.ts'
import type { Transaction } from '../db/group-commit.ts'
import type { Platform } from '../feature.ts'
import type { Clients } from './clients.ts'
import type { CodeRules } from './codes.ts'
import type { Client, Code } from './schema.ts'

/** What others do as a client gets another name; called inside the transaction. */
export type ClientRenamed = (tx: Transaction, before: string, after: string) => void

/** Client fields as staff enter them; omitted ones stay as they are. */
export type ClientEntry = {
  name?: string | undefined
  /** The last part of the panel's address. */
  panel?: string | undefined
  /** Empty for none. */
  season?: string | undefined
  /** All of them. */
  emails?: readonly string[] | undefined
}

/** The state of a code: active, or why it no longer works. */
export type CodeState = 'good' | 'revoked' | 'expired' | 'used up' | 'client disabled'

/** Staff's acts on clients and codes. `by` is recorded in the timeline. */
export type ClientActs = ReturnType<typeof createClientActs>

/** Each act is one transaction and is recorded in the client's timeline. */
export function createClientActs(
  { commit, clock, timeline }: Pick<Platform, 'commit' | 'clock' | 'timeline'>,
  { clients, renamed }: { clients: Clients; renamed: ClientRenamed },
) {
  const record = recordOf(timeline)

  /** @throws invalid for an end that is over already */
  const checkEnd = (expiresAt: number | null) => {
    if (expiresAt !== null && expiresAt <= clock()) {
      throw failure('invalid', { message: 'That expiry is in the past.' })
    }
  }

  return {
    /**
     * Adds a client; without a panel code, it follows from the name.
     * @throws invalid for an invalid name, panel code or address; duplicate for a panel that is taken
     */
    add(entry: ClientEntry & { name: string }, by: string): Promise<Client> {
      const name = nameOf(entry.name)
      const facts = {
        panel: entry.panel === undefined ? panelOf(name) : panelCode(entry.panel),
        name,
        season: oneLine(entry.season ?? '') || null,
        emails: (entry.emails ?? []).map(address),
      }
      return commit((tx) => {
        const client = clients.add(tx, facts)
        record(tx, client.id, by, 'added')
        return client
      })
    },

    /** Changes a client. @throws as {@link ClientActs.add} */
    edit(
      client: Client,
      { name, panel, season, emails }: ClientEntry,
      by: string,
    ): Promise<Client> {
      const changed: Client = {
        ...client,
        ...(name !== undefined && { name: nameOf(name) }),
        ...(panel !== undefined && { panel: panelCode(panel) }),
        ...(season !== undefined && { season: oneLine(season) || null }),
        ...(emails !== undefined && { emails: emails.map(address) }),
      }
      return commit((tx) => {
        clients.change(tx, changed)
        // What has the name of two clients stays the other one's.
        const isShared = clients
          .list()
          .some(
            ({ id, name: other }) =>
              id !== client.id && other.toLowerCase() === client.name.toLowerCase(),
          )
        if (changed.name !== client.name && !isShared) renamed(tx, client.name, changed.name)
        record(tx, client.id, by, 'changed')
        return changed
      })
    },

    /**
     * Removes a client with its codes, sessions, panel and activity. Bookings and orders stay.
     * @param options `rehearse` only counts what would be removed
     */
    async remove(
      client: Client,
      by: string,
      { rehearse }: { rehearse: boolean },
    ): Promise<{ codes: number; blocks: number; files: number }> {
      const blocks = clients.panels.list(client.id)
      const files = blocks.flatMap(({ id }) => clients.panels.files(id))
      const codes = clients.codes.list(client.id).length
      if (!rehearse) {
        await commit((tx) => {
          record(tx, client.id, by, 'removed')
          clients.remove(tx, client)
        })
        clients.panels.forget(files)
      }
      return { codes, blocks: blocks.length, files: files.length }
    },

    /**
     * Disables a client, whose codes stop working, or enables it again. Its sessions end for good: who
     * was shut out signs in again, and a stranger who had found an open browser can't.
     */
    setDisabled: (client: Client, isDisabled: boolean, by: string): Promise<void> =>
      commit((tx) => {
        if (isDisabled === (client.disabledAt !== null)) return
        clients.change(tx, { ...client, disabledAt: isDisabled ? clock() : null })
        for (const { id } of clients.codes.list(client.id)) clients.sessions.endOf(tx, id, null)
        record(tx, client.id, by, isDisabled ? 'disabled' : 'enabled')
      }),

    /**
     * The address where a code is entered, and a text to send with it.
     * @param siteUrl without a slash at the end
     */
    invitation(
      { name, panel }: Client,
      {
        code,
        scopes,
        expiresAt,
        maxUses,
      }: Pick<CodeRules, 'scopes' | 'expiresAt' | 'maxUses'> & { code: string },
      siteUrl: string,
    ): { address: string; text: string } {
      const places = { desk: paths.desk(), view: paths.panel(panel), links: paths.shortLinks() }
      const first = (['desk', 'view', 'links'] as const).find((scope) => scopes.includes(scope))
      const path = first ? places[first] : scopes.includes('ops') ? paths.logs() : places.view
      const place = siteUrl + path
      // The last minute of a day says more than the first one of the next.
      const until =
        expiresAt === null ? null : `It works until ${officeTime(expiresAt - minuteMs)}.`
      const times =
        maxUses === null
          ? null
          : maxUses === 1
            ? 'You can sign in with it once.'
            : `You can sign in with it ${maxUses} times.`
      const lines = [`Hi ${name},`, '', `Sign in at ${place}`, `Your code: ${code}`, until, times]
      return { address: place, text: lines.filter((line) => line !== null).join('\n') }
    },

    /**
     * Makes a code for a client. Beside another one without a label it gets one: codes with the same
     * label count as one visitor, whose favourites are shared.
     * @param custom instead of a random one; a short one needs `isShortAllowed` and an expiry
     * @returns its number, and the code itself for the only time
     * @throws invalid when the custom one is too short, for an end in the past, and for scopes that
     *   open nothing without `view`; duplicate when it is in use
     */
    createCode: (
      client: Client,
      rules: CodeRules,
      custom: { code: string; isShortAllowed: boolean } | null,
      by: string,
    ): Promise<{ id: number; code: string }> =>
      commit((tx) => {
        checkEnd(rules.expiresAt)
        const idle = idleScopes(rules.scopes)
        if (idle.length > 0) {
          throw failure('invalid', { message: `${openNothing(idle)} without view: add view.` })
        }
        const label = rules.label || labelBeside(clients.codes.list(client.id), clock())
        const made = clients.codes.create(tx, client.id, { ...rules, label }, custom)
        record(tx, client.id, by, 'code created', made.id)
        return made
      }),

    /** Revokes a code and ends its sessions. */
    revokeCode: (code: Code, by: string): Promise<void> =>
      commit((tx) => {
        clients.codes.revoke(tx, code.id)
        record(tx, code.clientId, by, 'code revoked', code.id)
      }),

    /**
     * Replaces a code by another one with the same rules.
     * @returns the new one's number, and the code itself for the only time
     * @throws wrong-state when the old one is revoked, or expired, or has scopes that open nothing
     *   without `view`: so would the new one
     */
    rotateCode: (code: Code, by: string): Promise<{ id: number; code: string }> =>
      commit((tx) => {
        if (code.expiresAt !== null && code.expiresAt <= clock()) {
          throw failure('wrong-state', {
            message: `Code ${code.id} expired on ${officeTime(code.expiresAt - minuteMs)}. Give it a new expiry first, or make another code.`,
          })
        }
        const idle = idleScopes(code.scopes)
        if (code.revokedAt === null && idle.length > 0) {
          throw failure('wrong-state', {
            message: `In code ${code.id}, ${openNothing(idle)} without view. Make another code with view, and revoke this one.`,
          })
        }
        const made = clients.codes.rotate(tx, code)
        record(tx, code.clientId, by, 'code rotated', code.id)
        return made
      }),

    /**
     * Sets the expiry of a code, null for none. Sessions that ended with it stay ended.
     * @throws wrong-state when it is revoked; invalid for an end in the past: `revoke` ends a code
     */
    extendCode: (code: Code, expiresAt: number | null, by: string): Promise<void> =>
      commit((tx) => {
        checkEnd(expiresAt)
        const isOver = code.expiresAt !== null && code.expiresAt <= clock()
        if (isOver) clients.sessions.endOf(tx, code.id, null)
        clients.codes.extend(tx, code.id, expiresAt)
        record(tx, code.clientId, by, 'code extended', code.id)
      }),

    /** The current state of a code. */
    codeState({ revokedAt, expiresAt, maxUses, uses, clientId }: Code): CodeState {
      if (revokedAt !== null) return 'revoked'
      if (expiresAt !== null && expiresAt <= clock()) return 'expired'
      if (maxUses !== null && uses >= maxUses) return 'used up'
      return clients.find(clientId)?.disabledAt ? 'client disabled' : 'good'
    },
  }
}

/**
 * Returns the function that records an act in the timeline of a client, under its number.
 * @param about the number of what was made, changed or removed, or the code that it belongs to
 */
export const recordOf =
  (timeline: Platform['timeline']) =>
  (
    tx: Transaction,
    clientId: number,
    actor: string,
    act: string,
    about?: number | { code: number },
  ): void =>
    timeline.record(tx, {
      thing: 'client',
      thingId: String(clientId),
      actor,
      act,
      after: typeof about === 'number' ? String(about) : null,
      note: typeof about === 'object' ? `code ${about.code}` : null,
    })

const maxPanelLength = 64

/** @throws invalid */
function panelCode(text: string): string {
  if (isPanelCode(text)) return text
  throw failure('invalid', {
    message: `${text === '' ? 'An empty text' : text} isn’t a valid panel code. ${panelRule}`,
  })
}

/** The panel code of a name: as many of its words as fit. @throws invalid for a name in other letters, or none */
function panelOf(name: string): string {
  const whole = slugOf(name)
  const end = whole.lastIndexOf('-', maxPanelLength)
  const panel =
    whole.length <= maxPanelLength ? whole : whole.slice(0, end === -1 ? maxPanelLength : end)
  if (isPanelCode(panel)) return panel
  throw failure('invalid', { message: `No panel code can be made from “${name}”. ${panelRule}` })
}

const isPanelCode = (text: string) =>
  text.length <= maxPanelLength && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)

const panelRule = `Use --panel with up to ${maxPanelLength} of a-z, 0-9 and hyphens.`

function address(text: string): string {
  const parsed = emailAddress.safeParse(text)
  if (!parsed.success) {
    throw failure('invalid', { message: `${text} is not an email address.` })
  }
  return parsed.data
}

function nameOf(text: string): string {
  const name = oneLine(text)
  if (name === '') throw failure('invalid', { message: 'Enter a name for the client.' })
  return name
}

/** Scopes as the subject of a sentence, such as “web and select open nothing”. */
export const openNothing = (idle: readonly Scope[]): string =>
  `${new Intl.ListFormat('en-GB').format(idle)} ${idle.length === 1 ? 'opens' : 'open'} nothing`

/** The label of a code that was given none: empty for the only one like it. */
function labelBeside(all: readonly Code[], now: number): string {
  const isAlone = all.every(
    ({ label, revokedAt, expiresAt }) =>
      label !== '' || revokedAt !== null || (expiresAt !== null && expiresAt <= now),
  )
  if (isAlone) return ''
  const taken = new Set(all.map(({ label }) => label))
  let number = all.length + 1
  while (taken.has(`Person ${number}`)) number += 1
  return `Person ${number}`
}
