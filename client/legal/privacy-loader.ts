import type { LoaderFunctionArgs } from 'react-router'
import { getRetention } from '#shared/privacy.ts'
import { siteOf } from '../site/loading.ts'

/** What the server keeps of people; the policy's table is made from it. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getRetention, {})

/** The data of the privacy policy. */
export type PrivacyData = Awaited<ReturnType<typeof loader>>
