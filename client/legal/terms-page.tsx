import { Head } from '../site/head.tsx'
import { Terms } from './terms.tsx'

/** The page of the terms of service. */
export const Component = () => (
  <>
    <Head
      title="Terms of service"
      description="The terms under which we photograph, film, write and design, and under which this site may be used; with withdrawal information for consumers."
    />
    <Terms />
  </>
)
