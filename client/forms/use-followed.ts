import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useLocation, useNavigation } from 'react-router'

/**
 * Lets the fields of a form that asks for a page follow its address, also by the browser's back and forward,
 * but for what was entered while that page was on its way. The form stays, and the focus with it.
 * @param shown what the address says, by the names of the fields
 * @returns what is called with each entry, for the form's `onInput`
 */
export function useFollowed(
  form: RefObject<HTMLFormElement | null>,
  shown: Readonly<Record<string, string>>,
): (event: { target: EventTarget }) => void {
  const at = useLocation().key
  const next = useNavigation().location?.key
  const before = useRef(shown)
  // The page on its way when a field was changed last.
  const enteredBefore = useRef(new Map<string, string | undefined>())
  const follow = useEffectEvent((page: string) => {
    for (const [name, value] of Object.entries(shown)) {
      const isNewer = enteredBefore.current.get(name) === page
      // What was entered before the scripts were there has no page on its way.
      if (value === before.current[name] || isNewer) continue
      const control = form.current?.elements.namedItem(name)
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        control.value = value
      }
    }
    before.current = shown
    // A step back to this page later is another matter.
    enteredBefore.current.clear()
  })
  useEffect(() => follow(at), [at])
  return ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      enteredBefore.current.set(target.name, next)
    }
  }
}
