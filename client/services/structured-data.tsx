import { paths } from '#shared/paths.ts'
import { breadcrumbs, faqPage, service as serviceThing } from '#shared/seo/seo.ts'
import { StructuredData } from '../site/head/structured-data.tsx'
import type { ServiceData } from './loader.ts'

/** A service and the questions on its page for search engines (docs/contract.md, SEO and feeds). */
export function ServiceForMachines({ service }: { service: ServiceData }) {
  const { slug, title, shared, faq, priceFrom } = service
  const path = paths.service(slug)
  return (
    <StructuredData
      things={
        import.meta.env.SSR
          ? (publisher, sharedPicture) => [
              serviceThing(
                {
                  ...service,
                  priceFrom: priceFrom?.net ?? null,
                  path,
                  image: sharedPicture(shared),
                },
                publisher,
              ),
              breadcrumbs(
                [
                  { name: 'Services', path: paths.services() },
                  { name: title, path },
                ],
                publisher,
              ),
              ...(faq.length > 0 ? [faqPage(faq, publisher)] : []),
            ]
          : null
      }
    />
  )
}
