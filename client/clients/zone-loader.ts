import type { LoaderFunctionArgs } from 'react-router'
import { getSession } from '#shared/clients/clients.ts'
import { siteOf } from '../site/data/loading.ts'

/** Who is signed in. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getSession, {})

/** The data of the client zone. */
export type ZoneData = Awaited<ReturnType<typeof loader>>
