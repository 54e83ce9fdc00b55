import type { LoaderFunctionArgs } from 'react-router'
import { getLogAccess } from '#shared/log-viewer.ts'
import { siteOf } from '../site/data/loading.ts'

/** Which logs this visitor may read. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getLogAccess, {})

/** The data of /debug/logs. */
export type LogsData = Awaited<ReturnType<typeof loader>>
