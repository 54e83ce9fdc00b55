import { mailFiles } from '../../support/mail-files.ts'
import { settled } from '../../support/enquiry.ts'
import type { Site } from '../../support/site.ts'

/** A form as the footer posts it. */
export const form = (changes: Record<string, string> = {}) => ({
  email: 'aino@example.com',
  l: 'newsletter',
  name: '',
  ...changes,
})

type Options = { headers?: Record<string, string>; from?: string }

/** Posts fields as a form of our own pages does. */
export const postForm = (
  site: Site,
  path: string,
  fields: Record<string, string> | string = {},
  { headers = {}, from }: Options = {},
) =>
  site.post(path, typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(), {
    ...(from && { from }),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Cookie: '',
      'X-CSRF-TOKEN': '',
      ...headers,
    },
  })

/** Asks for the newsletter. */
export const ask = (site: Site, changes: Record<string, string> = {}, options?: Options) =>
  postForm(site, '/subscription/form', form(changes), options)

/** The confirmation emails to an address, oldest first. */
export async function confirmations(site: Site, email = 'aino@example.com') {
  await settled(site)
  return mailFiles(site.dataDir).filter(
    ({ file, to }) => file.endsWith('newsletterConfirm.eml') && to === email,
  )
}

/** The path of the link in the last confirmation email to an address. */
export async function confirmLink(site: Site, email?: string) {
  const mail = (await confirmations(site, email)).at(-1)
  return /\/subscription\/confirm\/[\w.-]+/.exec(mail?.text ?? '')![0]
}

/** Subscribes an address all the way. */
export async function subscribe(site: Site, email = 'aino@example.com', options?: Options) {
  await ask(site, { email }, options)
  await postForm(site, await confirmLink(site, email))
  return site.context.features.newsletter.subscribers.find(email)!
}
