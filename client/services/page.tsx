import { useLoaderData } from 'react-router'
import { Head } from '../site/head/head.tsx'
import { staticPart } from '../site/static-part.tsx'
import type { ServiceData } from './loader.ts'

const Content = staticPart(() => import('./content.static.tsx'))

/** The page of a service (docs/contract.md, Pages): one template for all of them. */
export function Component() {
  const service = useLoaderData<ServiceData>()
  const { title, headline, description, shared, slug } = service
  return (
    <div key={slug}>
      <Head
        title={headline ? `${title} — ${headline}` : title}
        description={description}
        image={shared}
      />
      <Content service={service} />
    </div>
  )
}
