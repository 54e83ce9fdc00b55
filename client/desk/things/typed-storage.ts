import type { Entries } from '#shared/forms/form.ts'

const prefix = 'desk_typed:'
const nameKey = 'desk_name'

/** Keeps what is typed into a form of a page for this tab. */
export function storeTyped(pathname: string, act: string, typed: Entries): void {
  try {
    sessionStorage.setItem(`${prefix}${pathname}:${act}`, JSON.stringify(typed))
  } catch {
    // Closed or full: what was typed ends with the page.
  }
}

/** Takes what was stored out again. @returns null where nothing was */
export function takeTyped(pathname: string, act: string): Entries | null {
  const key = `${prefix}${pathname}:${act}`
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    sessionStorage.removeItem(key)
    if (typeof stored !== 'object' || stored === null) return null
    return Object.fromEntries(
      Object.entries(stored).filter(([, value]) => typeof value === 'string'),
    )
  } catch {
    return null
  }
}

/** Whether something is stored. */
export function isTypedStored(pathname: string, act: string): boolean {
  try {
    return sessionStorage.getItem(`${prefix}${pathname}:${act}`) !== null
  } catch {
    return false
  }
}

/** The name that someone gave on a page that an email's link opened; empty where none was. */
export function storedName(): string {
  try {
    return sessionStorage.getItem(nameKey) ?? ''
  } catch {
    return ''
  }
}

/** Keeps it for this tab. */
export function storeName(name: string): void {
  try {
    sessionStorage.setItem(nameKey, name)
  } catch {
    // Closed or full: the name lasts as long as the page.
  }
}

/** Forgets all of it, as logging out in this tab does: the next person at the machine may be another one. */
export function forgetTyped(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix) || key === nameKey) sessionStorage.removeItem(key)
    }
  } catch {
    // Where storage is closed there is nothing to forget.
  }
}
