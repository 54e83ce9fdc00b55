import { Head } from '../site/head.tsx'
import { Accessibility } from './accessibility.tsx'

/** The page of the accessibility statement. */
export const Component = () => (
  <>
    <Head
      title="Accessibility statement"
      description="How accessible this site is, what we test, what does not work yet, and how to tell us about an obstacle."
    />
    <Accessibility />
  </>
)
