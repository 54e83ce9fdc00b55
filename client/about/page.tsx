import { useLoaderData } from 'react-router'
import { aboutTexts } from '#shared/about-texts.ts'
import { useIdentity } from '../site/data/identity.ts'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { AboutData } from './loader.ts'

const Content = staticPart(() => import('./content.static.tsx'))

/** The about page. */
export function Component() {
  const data = useLoaderData<AboutData>()
  const { brand, email } = useIdentity()
  return (
    <>
      <Head
        title={aboutTexts.title}
        description={`${brand} is a Finnish motorsport media agency: who we are, how we work, and where to find us.`}
        image={data.shared}
      />
      <Content key={email} data={data} />
    </>
  )
}
