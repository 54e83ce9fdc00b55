import { Head } from '../site/head.tsx'
import { lazily } from '../ui/lazily.tsx'

const Accessibility = lazily(async () => (await import('./accessibility.tsx')).Accessibility)

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
