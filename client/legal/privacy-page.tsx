import { Head } from '../site/head.tsx'
import { Privacy } from './privacy.tsx'

/** The page of the privacy policy. */
export const Component = () => (
  <>
    <Head
      title="Privacy policy"
      description="Which personal data this site handles, why, on which ground, for how long, and what your rights are under the GDPR."
    />
    <Privacy />
  </>
)
