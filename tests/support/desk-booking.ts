import { expect } from 'vitest'
import { dist } from '#server/dist.ts'
import { builtRenderer } from '#server/renderer.ts'
import { book } from './bookings.ts'
import { actFields, postForm } from './page-form.ts'
import { startSite, type Site } from './site.ts'
import { signIn } from './staff.ts'

/** A site with its pages and someone of staff who is signed in for the desk. */
export async function deskSite(env: Record<string, string> = {}) {
  const site = await startSite({ renderer: await builtRenderer(dist), env })
  const { headers, codeId } = await signIn(site, ['desk'], { name: 'Noora' })
  return { site, codeId, cookie: { Cookie: headers.Cookie! } }
}

/** Another session of staff. */
export async function secondOfStaff(site: Site) {
  const { headers } = await signIn(site, ['desk'], { name: 'Mika' })
  return { Cookie: headers.Cookie! }
}

/**
 * A booking that was asked for, with its page at the desk.
 * @param headers of who looks
 */
export async function bookingAtDesk(
  site: Site,
  headers: Record<string, string>,
  changes: Record<string, unknown> = {},
) {
  const { status, json } = await book(site, changes)
  expect(status).toBe(201)
  const reference = String(json?.reference)
  const { actions } = site.context.features.bookings
  const path = `/desk/bookings/${reference}`
  const page = async (at = path) => {
    const { text } = await site.get(at, { headers })
    // React marks where one text ends and the next begins.
    return text.replaceAll('<!-- -->', '').replaceAll('&amp;', '&')
  }
  return {
    reference,
    path,
    page,
    find: () => actions.find(reference),
    /** The visitor's token, and the one in staff's email. */
    visitor: String(json?.url).split('/').at(-1)!,
    staff: actions.staffUrl(actions.find(reference)).split('/').at(-1)!,
    /** Opens the page, fills in an act's form and sends it, all without scripts. */
    async act(name: string, fields: Record<string, string> = {}) {
      const form = actFields(await page(), name)
      return postForm(site, path, { ...form, ...fields }, headers)
    },
  }
}
