import { ipKeyGenerator } from 'express-rate-limit'
import { failure } from '#shared/failures.ts'
import { createQuota, type Quota } from '../http/quota.ts'

const hourSeconds = 3600

/**
 * What visitors may do to a folder within an hour, from one network and in all. One network uses up
 * a tenth of what the folder takes, so that it cannot shut out the others.
 */
const quotas = {
  /** Browsers that begin to pick; those of signed-in clients do not count. */
  picker: { network: 30, folder: 300 },
  /** Picks that are sent to staff. */
  submission: { network: 10, folder: 100 },
  /** Selections for a ZIP. */
  selection: { network: 30, folder: 300 },
} as const

/** Counts what visitors do to folders. */
export type FolderQuotas = ReturnType<typeof createFolderQuotas>

/** Makes the counters; they begin anew with the process. */
export function createFolderQuotas({ clock }: { clock: () => number }) {
  const counters = (most: number) => createQuota({ most, seconds: hourSeconds, clock })
  const kinds = Object.fromEntries(
    Object.entries(quotas).map(([name, { network, folder }]) => [
      name,
      { network: counters(network), folder: counters(folder) },
    ]),
  ) as Record<keyof typeof quotas, { network: Quota; folder: Quota }>

  return {
    /**
     * Counts an act of a visitor.
     * @throws too-many when the network or the folder has had enough of them
     */
    take(
      what: keyof typeof quotas,
      folder: { id: number },
      { address }: { address: string },
    ): void {
      const { network, folder: ofFolder } = kinds[what]
      const wait = network.take(ipKeyGenerator(address, 56)) || ofFolder.take(folder.id)
      if (wait > 0) throw failure('too-many', { retryAfter: wait })
    },
  }
}
