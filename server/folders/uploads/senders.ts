import type { Response } from 'express'
import { failure } from '#shared/failures.ts'
import type { ClientFeature } from '../../clients/feature.ts'
import { requestContextOf, sessionWith } from '../../http/request-context.ts'
import type { Sender } from './uploads.ts'

/** Bodies that are read at the same time: of one code, and in all. */
const maxBodies = { code: 6, all: 24 }

/**
 * Creates the check of who sends a file: only staff at the desk can.
 * @throws signed-out or forbidden for anyone else
 */
export const createSenders =
  ({ sessionIn }: Pick<ClientFeature, 'sessionIn'>) =>
  (response: Response): Sender => {
    const context = requestContextOf(response)
    const { actor } = sessionWith('desk', context)
    const session = sessionIn(context)
    if (!session) throw failure('signed-out')
    return { actor, codeId: session.codeId }
  }

/** Counts the bodies that are being read, so that no code takes up the disk for itself. */
export function createPlaces() {
  const reading = new Map<number | null, number>()
  return {
    /**
     * Takes a place.
     * @returns gives it back
     * @throws too-many and unavailable when there is none
     */
    take(codeId: number | null): () => void {
      const own = reading.get(codeId) ?? 0
      const all = [...reading.values()].reduce((sum, count) => sum + count, 0)
      if (own >= maxBodies.code) throw failure('too-many', { retryAfter: 2 })
      if (all >= maxBodies.all) throw failure('unavailable', { retryAfter: 5 })
      reading.set(codeId, own + 1)
      return () => {
        const left = reading.get(codeId)! - 1
        if (left > 0) reading.set(codeId, left)
        else reading.delete(codeId)
      }
    },
  }
}
