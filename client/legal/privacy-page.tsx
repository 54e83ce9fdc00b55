import { privacyTexts } from '#shared/legal-texts.ts'
import { Head } from '../site/head/head.tsx'
import { Privacy } from './privacy.tsx'

/** The page of the privacy policy. */
export const Component = () => (
  <>
    <Head title={privacyTexts.title} description={privacyTexts.description} />
    <Privacy />
  </>
)
