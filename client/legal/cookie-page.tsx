import { Head } from '../site/head.tsx'
import { Cookies } from './cookies.tsx'

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
