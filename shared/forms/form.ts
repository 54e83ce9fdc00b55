import type { Issue, Schema } from '../endpoint.ts'

/** What was entered into a form, by the names of its fields. */
export type Entries = Readonly<Record<string, string>>

/** What is wrong with a form: one sentence for each field, by its name. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * Reads a form: the browser's FormData, or the body of a posted form as the server has parsed it. A
 * field that came twice counts once, files are left out, and line breaks are LF.
 */
export function entriesOf(
  form: Iterable<readonly [name: string, value: unknown]> | object | null | undefined,
): Entries {
  const fields = (form && Symbol.iterator in form ? form : Object.entries(form ?? {})) as Iterable<
    readonly [string, unknown]
  >
  const entries: Record<string, string> = {}
  for (const [name, value] of fields) {
    const first: unknown = Array.isArray(value) ? value[0] : value
    // Browsers post line breaks as CR LF; everywhere else they are LF.
    if (typeof first === 'string') entries[name] ??= first.replaceAll('\r\n', '\n')
  }
  return entries
}

/**
 * The first complaint about each field.
 * @param nameOf the form's name of a field of the input, where it differs
 */
export function fieldErrors(
  issues: readonly Issue[],
  nameOf: (key: string) => string = (key) => key,
): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    errors[nameOf(path.map(String).join('.') || 'request')] ??= message
  }
  return errors
}

/** The outcome of a check: the valid value, or what is wrong by field. */
export type Checked<Value> = { value: Value; errors: null } | { value: null; errors: FieldErrors }

/**
 * Checks what a form makes of its entries, in the browser and on the server alike.
 * @param more complaints that the schema does not know of, such as a wrong sum; null or undefined for none
 * @param nameOf see {@link fieldErrors}
 */
export function checkForm<Value>(
  schema: Schema<Value>,
  input: unknown,
  {
    more = {},
    nameOf,
  }: {
    more?: Readonly<Record<string, string | null | undefined>>
    nameOf?: (key: string) => string
  } = {},
): Checked<Value> {
  const parsed = schema.safeParse(input)
  const errors = parsed.success ? {} : fieldErrors(parsed.error.issues, nameOf)
  for (const [name, message] of Object.entries(more)) if (message) errors[name] = message
  return parsed.success && Object.keys(errors).length === 0
    ? { value: parsed.data, errors: null }
    : { value: null, errors }
}
