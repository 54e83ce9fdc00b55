import { useRef, useState, type SubmitEvent } from 'react'
import type { ShownLink } from '#shared/links.ts'
import type { Problems } from './save.ts'

const advanced = ['startsAt', 'expiresAt', 'maxClicks', 'note', 'tags', 'password', 'utm']

/**
 * Saves the form of a link. What is wrong is shown, unfolded where it is folded away, and the first
 * of it gets the focus.
 * @param link the link to change; null makes a new one
 */
export function useSaveLink(link: ShownLink | null, onSaved: (link: ShownLink) => void) {
  const form = useRef<HTMLFormElement>(null)
  const more = useRef<HTMLDetailsElement>(null)
  const [problems, setProblems] = useState<Problems>({ errors: {}, message: null })
  const [saving, setSaving] = useState(false)

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving) return
    setSaving(true)
    const entered = event.currentTarget
    const saved = await import('./save.ts').then(
      ({ saveLink }) => saveLink(entered, link?.code ?? null),
      () => ({ errors: {}, message: 'We can’t reach the server. Please try again.' }),
    )
    setSaving(false)
    if ('link' in saved) {
      setProblems({ errors: {}, message: null })
      if (link === null) form.current?.reset()
      onSaved(saved.link)
      return
    }
    setProblems(saved)
    const wrong = Object.keys(saved.errors)
    if (more.current && wrong.some((name) => advanced.some((each) => name.startsWith(each)))) {
      more.current.open = true
    }
    const [first = ''] = wrong
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus(),
    )
  }

  return { form, more, problems, saving, save }
}
