/** What the error page says of a page that did not come. */
export const unreachable = 'This page didn’t load. Check your connection and try again.'

const name = 'PageCodeError'

/**
 * Loads code that a page cannot do without.
 * @throws an error that {@link isPageCodeError} knows, where it cannot be loaded
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw Object.assign(new Error(unreachable, { cause }), { name })
  }
}

/** Whether a page's own code is missing: the network is gone, or a new build has replaced it. */
export const isPageCodeError = (error: unknown): boolean =>
  error instanceof Error && error.name === name
