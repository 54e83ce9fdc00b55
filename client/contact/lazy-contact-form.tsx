import { lazily } from '../ui/lazily.tsx'

/** The contact form, whose code waits until it is nearly seen. */
export const LazyContactForm = lazily(async () => (await import('./contact-form.tsx')).ContactForm)
