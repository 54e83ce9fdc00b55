import { vi } from 'vitest'

/**
 * What client code finds around itself in a browser, as far as its stores need it: local storage,
 * events of the window, the system's colours and the class of the document.
 */
export function fakeBrowser({ dark = false }: { dark?: boolean } = {}) {
  const items = new Map<string, string>()
  const classes = new Set<string>()
  const page = new EventTarget()
  const system = Object.assign(new EventTarget(), { matches: dark })
  let closed = false
  const opened = <Value>(use: () => Value): Value => {
    if (closed) throw new DOMException('Storage is closed.', 'SecurityError')
    return use()
  }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => opened(() => items.get(key) ?? null),
    setItem: (key: string, value: string) => opened(() => void items.set(key, value)),
    removeItem: (key: string) => opened(() => void items.delete(key)),
  })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  vi.stubGlobal('matchMedia', () => system)
  vi.stubGlobal('location', { protocol: 'http:' })
  vi.stubGlobal('document', {
    cookie: '',
    documentElement: {
      classList: {
        contains: (name: string) => classes.has(name),
        toggle: (name: string, on: boolean) => void (on ? classes.add(name) : classes.delete(name)),
      },
    },
  })
  return {
    /** Local storage. */
    items,
    /** Classes of the document's root. */
    classes,
    /** From now on nothing can be read or stored. */
    closeStorage: () => void (closed = true),
    /** Tells the page of something, such as that the network is back. */
    tell: (event: string, facts: object = {}) =>
      void page.dispatchEvent(Object.assign(new Event(event), facts)),
    /** The system turns dark, or light. */
    turn(isDark: boolean) {
      system.matches = isDark
      system.dispatchEvent(new Event('change'))
    },
    [Symbol.dispose]: () => void vi.unstubAllGlobals(),
  }
}
