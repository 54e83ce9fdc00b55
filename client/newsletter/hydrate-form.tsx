import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { SiteConfig } from '#shared/site-config.ts'
import { NewsletterForm } from './newsletter-form.tsx'

/**
 * Creates a React root for the newsletter form, which is in a part of the page React leaves alone.
 * @returns once the form is React's: until then the browser would send it
 */
export function hydrateNewsletterForm(form: HTMLFormElement): Promise<void> {
  const place = form.parentElement!
  const { newsletter } = place.dataset
  const target =
    newsletter === undefined ? undefined : (JSON.parse(newsletter) as SiteConfig['newsletter'])
  return new Promise((resolve) => {
    hydrateRoot(place, <Hydrated target={target} onHydrated={resolve} />)
  })
}

function Hydrated({
  target,
  onHydrated,
}: {
  target: SiteConfig['newsletter'] | undefined
  onHydrated: () => void
}) {
  useEffect(onHydrated, [onHydrated])
  return <NewsletterForm target={target} />
}
