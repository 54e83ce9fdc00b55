import { hydrateRoot } from 'react-dom/client'
import type { SiteConfig } from '#shared/site-config.ts'
import { NewsletterForm } from './newsletter-form.tsx'

/** Creates a React root for the newsletter form, which is in a part of the page React leaves alone. */
export function hydrateNewsletterForm(form: HTMLFormElement): void {
  const place = form.parentElement!
  const { newsletter } = place.dataset
  const target =
    newsletter === undefined ? undefined : (JSON.parse(newsletter) as SiteConfig['newsletter'])
  hydrateRoot(place, <NewsletterForm target={target} />)
}
