import { logError } from './log.ts'

/** `/services/public-relations` as its page's name: `PublicRelations`. */
const nameOf = (path: string) =>
  path
    .slice('/services/'.length)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * Loads the code of a service page before its link is followed (spec 2.4). A failure only costs
 * the head start, so it is logged (spec section 8).
 */
export async function preloadService(path: string): Promise<void> {
  try {
    await Promise.all([
      import('../services/page.tsx'),
      import('../services/loader.ts'),
      import('../services/below.tsx'),
    ])
  } catch {
    logError(`Failed to preload ${nameOf(path)}Page`)
  }
}
