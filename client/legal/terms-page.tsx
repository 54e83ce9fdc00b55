import { useLoaderData } from 'react-router'
import { termsTexts } from '#shared/legal-texts.ts'
import { Head } from '../site/head/head.tsx'
import { Terms } from './terms.tsx'
import type { TermsData } from './terms-loader.ts'

/** The page of the terms of service. */
export function Component() {
  const data = useLoaderData<TermsData>()
  return (
    <>
      <Head title={termsTexts.title} description={termsTexts.description} />
      <Terms {...data} />
    </>
  )
}
