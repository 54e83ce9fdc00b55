/**
 * Reads a line of the log. Whatever stands there makes fields: what is no JSON object is a message.
 * @param raw without its line break
 */
export function readLogLine(raw: string): Readonly<Record<string, unknown>> {
  try {
    const fields: unknown = JSON.parse(raw)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return fields as Record<string, unknown>
    }
  } catch {
    // Cut short, or not written by the log.
  }
  return { msg: raw }
}
