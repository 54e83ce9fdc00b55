import type { LoaderFunctionArgs } from 'react-router'
import { getEvent } from '#shared/calendar.ts'
import { shareImage } from '#shared/seo/share-image.ts'
import { siteOf } from '../site/data/loading.ts'
import { shownPicture } from '../ui/pictures/shown-picture.ts'

/** An event with its sessions, and what comes after it. */
export async function loader(args: LoaderFunctionArgs) {
  const details = await siteOf(args).api(getEvent, { id: args.params.id ?? '' })
  const { picture } = details.event
  return {
    ...details,
    picture: shownPicture(picture, '16:9', { isFirst: true }),
    shared: picture && shareImage(picture),
  }
}

/** The data of an event's page. */
export type EventData = Awaited<ReturnType<typeof loader>>
