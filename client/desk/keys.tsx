import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Checkbox } from '../forms/checkbox.tsx'
import { storeValues, useStoredValue } from '../site/stored-value.ts'
import { useHydrated } from '../ui/use-hydrated.ts'
import styles from './keys.module.css'

/** Local storage has `off` here once someone has switched the keys off (WCAG 2.1.4). */
const storageKey = 'deskKeys'

/** Milliseconds in which the second key of a pair has to follow. */
const pairTime = 1_500

/** The keys, as the page explains them. */
const explained: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'Search'],
  [['g', 't'], 'Go to today'],
  [['g', 's'], 'Go to sessions'],
  [['j'], 'Next thing in the list'],
  [['k'], 'Previous thing in the list'],
  [['r'], 'Reply to the ticket'],
  [['a'], 'First thing you can do here'],
  [['?'], 'Show these keys'],
]

/** Whether a key belongs to what has the focus: text that is typed, or a control that uses letters. */
const isTaken = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role="textbox"], [role="listbox"], dialog') !== null)

const focusFirst = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector)
  found?.focus()
  found?.scrollIntoView({ block: 'nearest' })
  return found !== null
}

/** Puts the focus on the next or previous thing of the lists. */
function step(by: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('[data-thing]')]
  if (links.length === 0) return false
  const at = links.indexOf(document.activeElement as HTMLElement)
  const next = links[at < 0 ? (by === 1 ? 0 : links.length - 1) : at + by]
  next?.focus()
  return true
}

/**
 * The keys of the desk and their explanation at the end of the page, with the switch that turns them
 * off. They never act while something is typed, with a modifier, or in a dialog; without scripts there
 * is nothing to explain.
 */
export function DeskKeys() {
  const isHydrated = useHydrated()
  const isOn = useStoredValue(storageKey) !== 'off'
  const navigate = useNavigate()
  useEffect(() => {
    if (!isOn) return undefined
    let began = Number.NEGATIVE_INFINITY
    const acts: Readonly<Record<string, () => boolean>> = {
      '/': () => focusFirst('form[role="search"] input'),
      j: () => step(1),
      k: () => step(-1),
      r: () => focusFirst('#reply-text'),
      a: () => focusFirst('section[aria-labelledby="acts"] summary'),
      '?'() {
        document.querySelector('details[data-keys]')?.setAttribute('open', '')
        return focusFirst('[data-keys] summary')
      },
      g() {
        began = performance.now()
        return true
      },
    }
    const places: Readonly<Record<string, string>> = { t: paths.desk(), s: paths.deskSessions() }
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(target)) return
      const place = performance.now() - began < pairTime ? places[key] : undefined
      began = Number.NEGATIVE_INFINITY
      if (place !== undefined) {
        event.preventDefault()
        void navigate(place)
      } else if (Object.hasOwn(acts, key) && acts[key]!()) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn, navigate])

  if (!isHydrated) return null
  return (
    <details className={styles.keys} data-keys>
      <summary>Keyboard</summary>
      <dl>
        {explained.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        name="deskKeys"
        label="Use these keys"
        hint="They never act while you type. Switch them off if your screen reader or speech input uses them."
        checked={isOn}
        onChange={({ target }) => storeValues({ [storageKey]: target.checked ? null : 'off' })}
      />
    </details>
  )
}
