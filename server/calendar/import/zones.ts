import { officeZone } from '#shared/dates/civil-dates.ts'
import { library } from '../../library.ts'
import { isZone } from '../event-times.ts'
import { countryCode } from './places.ts'

const windowsZones = library('windows-iana')

/**
 * The IANA name of a time zone as calendar programs write it: its own, one with a path before it
 * (`/freeassociation.sourceforge.net/Europe/Helsinki`), or that of Windows (`FLE Standard Time`).
 * @param country where the event is, which tells apart the zones that share a Windows name
 * @returns null for what names no zone
 */
export function zoneNamed(name: string, country: string | null = null): string | null {
  const trimmed = name.trim().replace(/^"|"$/g, '')
  if (/^(?:utc|gmt|z|etc\/(?:utc|gmt))$/i.test(trimmed)) return 'UTC'
  if (isZone(trimmed)) return trimmed
  const last = trimmed.split('/').slice(-2).join('/')
  if (trimmed.includes('/') && isZone(last)) return last
  // Windows has one name for Helsinki, Kyiv and their neighbours; ours goes first.
  const { findIana } = windowsZones()
  const all = findIana(trimmed)
  const territory = country && countryCode(country)
  const candidates = [
    ...(territory ? findIana(trimmed, territory) : []),
    ...all.filter((zone) => zone === officeZone),
    ...findIana(trimmed, '001'),
    ...all,
  ]
  return candidates.find(isZone) ?? null
}

/** The only time zone of a country; null for one with several, and for what isn't a country. */
export function zoneOfCountry(country: string | null): string | null {
  const code = country && countryCode(country)
  if (!code) return null
  const zones = new Intl.Locale(`und-${code}`).getTimeZones() ?? []
  return zones.length === 1 ? zones[0]! : null
}
