import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { ShownLink } from '#shared/links.ts'
import { randomHex } from '../random-hex.ts'
import type { Problems } from './save.ts'
import { fillTypedLink, forgetTypedLink, keepTypedLink } from './typed-link.ts'

const advanced = [
  'startsAt',
  'expiresAt',
  'maxClicks',
  'note',
  'tags',
  'password',
  'forwardQuery',
  'utm',
]

const isFoldedAway = (name: string) => advanced.some((each) => name.startsWith(each))

/** Makes the form that of another link: one that is sent again under its key is the same one. */
const giveKey = (form: HTMLFormElement): void => {
  form.querySelector<HTMLInputElement>('[name="key"]')!.value = randomHex()
}

/**
 * Begins the form of a link, with what was typed into it before.
 * @param code of the link that is changed; null for a new one
 * @returns what stops keeping that
 */
function begin(form: HTMLFormElement, more: HTMLDetailsElement, code: string | null): () => void {
  if (code === null) giveKey(form)
  if (fillTypedLink(form, code).some(isFoldedAway)) more.open = true
  const keep = () => keepTypedLink(form, code)
  form.addEventListener('input', keep)
  return () => form.removeEventListener('input', keep)
}

/**
 * Saves the form of a link. What is wrong is shown, unfolded where it is folded away, and the first
 * of it gets the focus. What was typed is there again when the form comes back.
 * @param link the link to change; null makes a new one
 */
export function useSaveLink(link: ShownLink | null, onSaved: (link: ShownLink) => void) {
  const form = useRef<HTMLFormElement>(null)
  const more = useRef<HTMLDetailsElement>(null)
  const [problems, setProblems] = useState<Problems>({ errors: {}, message: null })
  const [saving, setSaving] = useState(false)
  const code = link?.code ?? null
  useEffect(() => begin(form.current!, more.current!, code), [code])

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving) return
    setSaving(true)
    const entered = event.currentTarget
    const saved = await import('./save.ts').then(
      ({ saveLink }) => saveLink(entered, code),
      () => ({ errors: {}, message: 'We can’t reach the server. Please try again.' }),
    )
    setSaving(false)
    if ('link' in saved) {
      setProblems({ errors: {}, message: null })
      forgetTypedLink(code)
      if (code === null) {
        entered.reset()
        giveKey(entered)
      }
      onSaved(saved.link)
      return
    }
    setProblems(saved)
    const wrong = Object.keys(saved.errors)
    if (more.current && wrong.some(isFoldedAway)) more.current.open = true
    const [first = ''] = wrong
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus(),
    )
  }

  return { form, more, problems, saving, save }
}
