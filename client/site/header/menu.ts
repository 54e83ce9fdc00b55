import { paths } from '#shared/paths.ts'

/** An entry of the navigation; a contact entry opens the contact modal. */
export type MenuEntry = { title: string; href: string; contact: boolean }

/** Used while the menu cannot be read (docs/contract.md, Navigation). */
const fallback = [
  { title: 'Services', url: paths.services() },
  { title: 'Media Outsourcing', url: paths.mediaOutsourcing() },
  { title: 'Portfolio', url: paths.portfolio() },
  { title: 'News', url: paths.news() },
  { title: 'Contact', url: paths.contact() },
]

/**
 * The navigation from the main menu, or from the fallback without one: its entries, and where the
 * Book Now button leads, which the entry titled BOOK NOW asks for; null without that.
 */
export function navigation(menu: readonly { title: string; url?: string | null }[] | null): {
  entries: MenuEntry[]
  booking: { href: string; contact: boolean } | null
} {
  const rows = menu?.length ? menu : fallback
  const isBooking = ({ title }: { title: string }) => title.trim().toUpperCase() === 'BOOK NOW'
  const booking = rows.find(isBooking)
  return {
    entries: rows.filter((row) => !isBooking(row)).map(entry),
    booking: booking
      ? booking.url
        ? entry(booking)
        : { href: paths.booking(), contact: false }
      : null,
  }
}

function entry({ title, url: stored }: { title: string; url?: string | null }): MenuEntry {
  const url = stored ?? ''
  const key = title.trim().toLowerCase()
  const bare = url.replace(/^\/?#?|\/$/g, '')
  if (key === 'contact' || bare === 'contact') {
    return { title, href: paths.contact(), contact: true }
  }
  if (bare === 'services') return { title, href: paths.services(), contact: false }
  return { title, href: url || `/${key.replaceAll(' ', '-')}`, contact: false }
}
