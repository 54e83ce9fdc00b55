import { harmless } from '../common/terminal.ts'

/** What was typed, checked as the pages check it. */
export function parsed<Output>(
  schema: {
    safeParse: (value: unknown) => {
      data?: Output
      error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] }
    }
  },
  fields: object,
): Output {
  const { data, error } = schema.safeParse(fields)
  if (data !== undefined) return data
  const lines = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new Error(harmless(lines.join('\n  ')))
}
