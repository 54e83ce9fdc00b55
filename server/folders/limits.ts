import { ipKeyGenerator } from 'express-rate-limit'
import { failure } from '#shared/failures.ts'
import { createQuota, type Quota, type RateLimit } from '../http/limits/limits.ts'

const hourSeconds = 3600

/**
 * What visitors may do to a folder within an hour, from one network and in all. One network uses up
 * a tenth of what the folder takes, so it can’t lock out the others.
 */
const quotas = {
  /** Browsers that begin to mark favourites; those of signed-in clients do not count. */
  visitor: { network: 30, folder: 300 },
  /** Favourites that are sent to staff. */
  submission: { network: 10, folder: 100 },
  /** Selections for a ZIP. */
  selection: { network: 30, folder: 300 },
} as const

/** Counts what visitors do to folders. */
export type FolderQuotas = ReturnType<typeof createFolderQuotas>

/** Counters in memory; a restart resets them. */
export function createFolderQuotas({ clock }: { clock: () => number }) {
  const counters = (max: number) => createQuota({ max, seconds: hourSeconds, clock })
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

/** Passwords; wrong ones are slowed down long before, by the answer itself. */
export const passwordLimit: RateLimit = { name: 'folderPassword', seconds: 600, max: 30 }

/** Hearts and comments: four a second for a whole minute. */
export const favouriteLimit: RateLimit = { name: 'folderMarks', seconds: 60, max: 240 }

/** Files, of which a page shows 120 pictures. */
export const fileLimit: RateLimit = { name: 'folderFiles', seconds: 60, max: 2400 }
