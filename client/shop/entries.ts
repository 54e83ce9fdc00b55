/** What was entered into a form, by the names of its fields. */
export type Entries = Readonly<Record<string, string>>

/** The entries of the form that a page was posted. */
export async function entriesOf(request: Request): Promise<Entries> {
  return Object.fromEntries(
    Array.from(await request.formData(), ([name, value]) => [
      name,
      typeof value === 'string' ? value : '',
    ]),
  )
}

/** A whole number as a field has it; NaN for anything else. */
export const wholeNumber = (text: string | undefined): number =>
  /^\d{1,9}$/.test(text?.trim() ?? '') ? Number(text) : Number.NaN
