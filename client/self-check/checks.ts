import { readConsent } from '#shared/consent/consent.ts'

/** What a check found; `partly` is what works, with a fault that isn't this browser's. */
export type Result = { ok: boolean; partly?: boolean; text: string }

type Check = { name: string; title: string; run: () => Promise<Result> }

/** The checks, in the order shown. */
export const checks: readonly Check[] = [
  {
    name: 'script',
    title: 'Scripts',
    run: async () => ({ ok: true, text: 'On' }),
  },
  {
    name: 'theme',
    title: 'Theme',
    async run() {
      const shown = document.documentElement.classList.contains('dark') ? 'dark' : 'light'
      return { ok: true, text: `${shown}, stored: ${localStorage.getItem('theme') ?? 'nothing'}` }
    },
  },
  { name: 'local', title: 'Local storage', run: async () => storage(localStorage) },
  { name: 'session', title: 'Session storage', run: async () => storage(sessionStorage) },
  {
    name: 'consent',
    title: 'Cookie preferences',
    async run() {
      const { given, preferences } = readConsent((key) => localStorage.getItem(key))
      const on = Object.entries(preferences).flatMap(([name, value]) => (value ? [name] : []))
      return { ok: true, text: given ? on.join(', ') : 'Not decided yet' }
    },
  },
  {
    name: 'cookies',
    title: 'Cookies',
    run: async () => ({
      ok: navigator.cookieEnabled,
      text: navigator.cookieEnabled ? 'Accepted' : 'Blocked. Sending messages needs one.',
    }),
  },
  {
    name: 'csrf',
    title: 'CSRF cookie',
    async run() {
      const value = document.cookie.match(/(?:^|; )X-CSRF-TOKEN=([^;]*)/)?.[1]
      if (value === undefined)
        return { ok: true, text: 'Not set yet. It’s set with the first form.' }
      const isWellFormed = /^[\da-f]{32}$/.test(value)
      return { ok: isWellFormed, text: isWellFormed ? 'Set, 32 characters' : 'Malformed' }
    },
  },
  {
    name: 'fonts',
    title: 'Fonts',
    async run() {
      const faces = ["800 16px 'Archivo Expanded'", "400 16px 'Archivo Text'"]
      await Promise.all(faces.map((face) => document.fonts.load(face)))
      const ok = faces.every((face) => document.fonts.check(face))
      return { ok, text: ok ? 'Loaded' : 'System fallback' }
    },
  },
  {
    name: 'server',
    title: 'Server',
    async run() {
      const began = performance.now()
      const response = await fetch('/api/health', { cache: 'no-store' })
      const { status } = (await response.json()) as { status?: string }
      const took = Math.round(performance.now() - began)
      return {
        ok: response.ok,
        partly: status === 'degraded',
        text: `${status ?? response.status}, ${took} ms`,
      }
    },
  },
  {
    name: 'window',
    title: 'Window',
    run: async () => ({
      ok: true,
      text: `${innerWidth} × ${innerHeight}, ${devicePixelRatio}x density`,
    }),
  },
]

/** Writes, reads and removes a value. */
function storage(store: Storage): Result {
  const key = 'self-check'
  store.setItem(key, key)
  const ok = store.getItem(key) === key
  store.removeItem(key)
  return { ok, text: ok ? 'OK' : 'Not working' }
}
