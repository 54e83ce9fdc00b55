import { cookieTexts } from '#shared/legal-texts.ts'
import { Head } from '../site/head/head.tsx'
import { Cookies } from './cookies.tsx'

/** The page of the cookie policy. */
export const Component = () => (
  <>
    <Head title={cookieTexts.title} description={cookieTexts.description} />
    <Cookies />
  </>
)
