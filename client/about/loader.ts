import type { LoaderFunctionArgs } from 'react-router'
import { getAbout } from '#shared/about.ts'
import { shareImage } from '#shared/seo/share-image.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'
import { readOptional } from '../site/data/optional-read.ts'

/** The people and the work behind the agency; what cannot be read is empty. */
export async function loader(args: LoaderFunctionArgs) {
  const site = siteOf(args)
  const about = await readOptional(site, site.api(getAbout, {}))
  if (about && !about.complete) site.degrade()
  const [first] = about?.pictures ?? []
  return {
    team: (about?.team ?? []).map(({ photo, ...person }) => ({
      ...person,
      photo: shownPicture(photo, '4:5'),
    })),
    testimonials: about?.testimonials ?? [],
    faq: about?.faq ?? [],
    counts: about?.counts ?? { services: 0, projects: 0, disciplines: 0 },
    pictures: (about?.pictures ?? []).flatMap((each) => {
      const picture = shownPicture(each, '3:2')
      return picture ? [{ title: each.title, slug: each.slug, picture }] : []
    }),
    shared: first ? shareImage(first) : null,
  }
}

/** The data of the about page. */
export type AboutData = Awaited<ReturnType<typeof loader>>
