import * as z from 'zod/mini'
import { endpoint, json } from './endpoint.ts'

type Text = string | null | undefined

/** An entry of the main menu. */
export type MenuEntry = {
  id: string | number
  title: string
  url?: Text
  description?: Text
}

/** The main menu, sorted. */
export const getMenu = endpoint({
  method: 'GET',
  path: '/api/content/menu',
  input: z.object({}),
  output: json<MenuEntry[]>(),
})

/** What every page may know of the agency: not where it is paid. */
export type SiteSettings = {
  id: string | number
  brand: string
  legal_name?: Text
  business_id?: Text
  vat_id?: Text
  tagline?: Text
  about?: Text
  email: string
  phone?: Text
  street?: Text
  postal_code?: Text
  city?: Text
  country?: Text
  maps_url?: Text
  offices?: { name: string; city: string; country: string }[] | null | undefined
  social?: Record<string, string> | null | undefined
  founded?: number | null | undefined
}

/** Names, addresses and links of the agency. */
export const getSettings = endpoint({
  method: 'GET',
  path: '/api/content/settings',
  input: z.object({}),
  output: json<SiteSettings | null>(),
})

/**
 * A picture with what its alternative text and place in the layout need: size in pixels, focal
 * point as fractions of it, and a version that names the file's content where that is known.
 */
export type Picture = {
  id: string
  alt: string
  width: number | null
  height: number | null
  focal: [number, number]
  version?: string | null
  /** The colour that prevails in it, as `#rrggbb`: what its place looks like until it arrives. */
  tone?: string
}
