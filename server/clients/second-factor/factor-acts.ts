import { failure } from '#shared/failures.ts'
import { staffScopes } from '#shared/clients/secret-code.ts'
import type { Transaction } from '../../db/group-commit.ts'
import type { Platform } from '../../feature.ts'
import { recordOf } from '../acts.ts'
import type { Clients } from '../clients.ts'
import type { Code } from '../schema.ts'
import { factorAddress } from './numbers.ts'

/** What staff do with second factors. `by` is who does it, for the timeline. */
export type FactorActs = ReturnType<typeof createFactorActs>

/** Each act is one transaction; what changes a factor is recorded in the client's timeline. */
export function createFactorActs(
  { commit, config, timeline }: Pick<Platform, 'commit' | 'config' | 'timeline'>,
  clients: Clients,
) {
  const record = recordOf(timeline)
  /** Those signed in with the code were so without the factor as it is now. */
  const endSessions = (tx: Transaction, codeId: number) => {
    clients.sessions.endOf(tx, codeId, null)
    clients.challenges.endOf(tx, codeId)
  }

  return {
    /**
     * Makes a secret for a code's authenticator app. It asks for numbers once the first was right.
     * @returns the secret in base32 and its `otpauth:` address, for the only time
     * @throws wrong-state for a code that is revoked or opens nothing of staff's
     */
    begin(code: Code): Promise<{ secret: string; address: string }> {
      if (code.revokedAt !== null) throw wrongState(`Code ${code.id} is revoked; create a new one.`)
      if (!staffScopes.some((scope) => code.scopes.includes(scope))) {
        const scopes = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(staffScopes)
        throw wrongState(`Only staff codes can have a second factor: those with ${scopes}.`)
      }
      return commit((tx) => {
        const secret = clients.factors.begin(tx, code.id)
        const label = code.label || clients.find(code.clientId)!.name
        return { secret, address: factorAddress(secret, issuerOf(config), label) }
      })
    },

    /**
     * Switches a second factor on, in place of an earlier one, and ends the sessions of its code.
     * @param number of the app, six digits
     * @returns recovery codes, for the only time
     * @throws wrong-state where nothing waits for a number; invalid for a wrong one
     */
    confirm: (code: Code, number: string, by: string): Promise<readonly string[]> =>
      commit((tx) => {
        const isChange = clients.factors.isOn(code.id)
        const recovery = clients.factors.confirm(tx, code.id, number)
        if (recovery === null) {
          throw wrongState(
            `Nothing to confirm for code ${code.id}. Run codes totp ${code.id} first.`,
          )
        }
        if (recovery === false) {
          throw failure('invalid', {
            message: 'Wrong number. Check your phone’s clock and try the number it shows now.',
          })
        }
        endSessions(tx, code.id)
        record(tx, code.clientId, by, isChange ? 'second factor changed' : 'second factor added', {
          code: code.id,
        })
        return recovery
      }),

    /** Switches the second factor of a code off and ends its sessions. @throws wrong-state where it has none */
    remove: (code: Code, by: string): Promise<void> =>
      commit((tx) => {
        if (!clients.factors.remove(tx, code.id)) {
          throw wrongState(`Code ${code.id} has no second factor.`)
        }
        endSessions(tx, code.id)
        record(tx, code.clientId, by, 'second factor removed', { code: code.id })
      }),
  }
}

/** Whose codes they are, as an app shows it. The command line knows the address once a server has run. */
function issuerOf(config: Platform['config']): string {
  try {
    return new URL(config.siteUrl).host
  } catch {
    return 'Pitlane'
  }
}

const wrongState = (message: string) => failure('wrong-state', { message })
