/** When the sitemap was last asked for, as ISO text (docs/contract.md, Browser storage). */
const storageKey = 'sitemap_last_generated'

/** How long that is good for (docs/contract.md, Limits and constants), in milliseconds. */
const interval = 6 * 3_600_000

/**
 * Asks for a new sitemap, unless this browser did so less than six hours ago
 * (docs/contract.md, SEO and feeds). Storage and network that are not to be had, and a server that
 * could not do it, are a warning in the console.
 */
export async function refreshSitemap(): Promise<void> {
  try {
    await trigger()
  } catch (error) {
    // oxlint-disable-next-line no-console
    console.warn('Failed to trigger sitemap generation', error)
  }
}

async function trigger() {
  const age = Date.now() - Date.parse(localStorage.getItem(storageKey) ?? '')
  // A time that is none, or lies ahead, says nothing.
  if (age >= 0 && age < interval) return
  const response = await fetch(`/functions/generate-sitemap?t=${Date.now()}`, {
    headers: { 'X-Trigger-Source': 'homepage', 'Cache-Control': 'no-cache' },
  })
  // What is in it is of no interest, but a reply that isn't read keeps its connection.
  await response.text()
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  localStorage.setItem(storageKey, new Date().toISOString())
}
