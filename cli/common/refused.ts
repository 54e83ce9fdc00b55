import { isFailure } from '#shared/failures.ts'

/**
 * Adds to the sentence of a refused act which option makes it possible; the desk says the same sentence
 * and has a field for it.
 * @param hints by what the failure says it's refused for
 */
export async function withHints<Value>(
  act: Promise<Value>,
  hints: Readonly<Record<string, string>>,
): Promise<Value> {
  try {
    return await act
  } catch (error) {
    const because = isFailure(error) ? error.details?.because : undefined
    const hint = typeof because === 'string' ? hints[because] : undefined
    if (hint === undefined) throw error
    throw new Error(`${(error as Error).message} ${hint}`, { cause: error })
  }
}
