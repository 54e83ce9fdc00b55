import { useLoaderData } from 'react-router'
import { termsTexts } from '#shared/legal/legal-texts.ts'
import { useIdentity } from '../site/data/identity.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { TermsData } from './terms-loader.ts'

const Terms = staticPart(() => import('./terms.static.tsx'))

/** The page of the terms of service. */
export function Component() {
  const data = useLoaderData<TermsData>()
  const { email } = useIdentity()
  return (
    <>
      <Head title={termsTexts.title} description={termsTexts.description} />
      <Terms key={email} {...data} />
    </>
  )
}
