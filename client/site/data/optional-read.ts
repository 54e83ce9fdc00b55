import type { Site } from './loading.ts'

/**
 * A read that a page can do without: null when it can’t be answered yet. What is missing, or
 * asked for wrongly, is thrown.
 */
export async function readOptional<Value>(
  site: Pick<Site, 'degrade'>,
  read: Promise<Value>,
): Promise<Value | null> {
  try {
    return await read
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
    if (status < 500) throw error
    site.degrade()
    return null
  }
}
