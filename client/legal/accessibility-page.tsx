import { accessibilityTexts } from '#shared/legal/legal-texts.ts'
import { useIdentity } from '../site/data/identity.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'

const Accessibility = staticPart(() => import('./accessibility.static.tsx'))

/** The page of the accessibility statement. */
export function Component() {
  const { email } = useIdentity()
  return (
    <>
      <Head title={accessibilityTexts.title} description={accessibilityTexts.description} />
      <Accessibility key={email} />
    </>
  )
}
