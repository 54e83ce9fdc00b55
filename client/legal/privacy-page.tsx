import { privacyTexts } from '#shared/legal/legal-texts.ts'
import { useIdentity } from '../site/data/identity.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'

const Privacy = staticPart(() => import('./privacy.static.tsx'))

/** The page of the privacy policy. */
export function Component() {
  const { email } = useIdentity()
  return (
    <>
      <Head title={privacyTexts.title} description={privacyTexts.description} />
      <Privacy key={email} />
    </>
  )
}
