import type { LoaderFunctionArgs } from 'react-router'
import { getTermsData } from '#shared/legal/terms-data.ts'
import { siteOf } from '../site/data/loading.ts'

/** What the terms take from settings. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getTermsData, {})

/** The data of the terms. */
export type TermsData = Awaited<ReturnType<typeof loader>>
