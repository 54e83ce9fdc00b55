import { useEffect, useRef, useState, type ComponentProps } from 'react'
import type { Entries, FieldErrors } from '#shared/forms/form.ts'

/** What is in the fields of a form; nothing of those that are switched off. */
export const entriesIn = (form: HTMLFormElement): Entries =>
  // No form of ours has a field for files.
  Object.fromEntries(new FormData(form)) as Record<string, string>

/** Leads to the first field that is wrong. */
export const focusFirstError = (form: HTMLFormElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid]')?.focus()

/**
 * Posts a form that was found right as the browser does without scripts, so that a page of its own
 * answers. A field called `submit` would hide the form's own method.
 */
export const post = (form: HTMLFormElement): void => HTMLFormElement.prototype.submit.call(form)

const none: FieldErrors = {}

/**
 * A form that a script of its page sends: one press at a time; what is wrong is shown at its field,
 * which gets the focus, until something is typed. Without scripts the form posts as it is, and
 * the server answers.
 * @param send checks the entries and sends them; called while the press is fresh. It resolves to what
 *   is wrong, by field (`request` where none is to blame), or to null when all is well
 * @param given what is wrong from the start
 */
export function useForm(
  send: (entries: Entries, form: HTMLFormElement) => Promise<FieldErrors | null>,
  given: FieldErrors = none,
) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(given)
  const [isSending, setSending] = useState(false)
  useEffect(() => {
    // The browser's own bubbles are for visitors without scripts.
    ref.current!.noValidate = true
    if (errors !== none) focusFirstError(ref.current)
  }, [errors])

  const submit = async (form: HTMLFormElement) => {
    if (isSending) return
    setErrors(none)
    setSending(true)
    try {
      setErrors((await send(entriesIn(form), form)) ?? none)
    } finally {
      // What goes wrong unforeseen is logged as that of the page; the form can be sent again.
      setSending(false)
    }
  }
  return {
    errors,
    isSending,
    /** For the form itself. */
    formProps: {
      ref,
      onSubmit(event) {
        event.preventDefault()
        void submit(event.currentTarget)
      },
      onInput: () => setErrors(none),
    } satisfies ComponentProps<'form'>,
  }
}
