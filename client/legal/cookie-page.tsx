import { cookieTexts } from '#shared/legal/legal-texts.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'

const Cookies = staticPart(() => import('./cookies.static.tsx'))

/** The page of the cookie policy. */
export const Component = () => (
  <>
    <Head title={cookieTexts.title} description={cookieTexts.description} />
    <Cookies />
  </>
)
