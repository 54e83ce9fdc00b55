import { Head } from '../site/head.tsx'
import { lazily } from '../ui/lazily.tsx'

const Cookies = lazily(async () => (await import('./cookies.tsx')).Cookies)

/** The page of the cookie policy. */
export const Component = () => (
  <>
    <Head
      title="Cookie policy"
      description="Everything that this site stores in your browser: names, purposes and periods, what needs your consent, and how to change your mind."
    />
    <Cookies />
  </>
)
