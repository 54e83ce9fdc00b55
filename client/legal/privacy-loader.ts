import type { LoaderFunctionArgs } from 'react-router'
import { getRetention } from '#shared/legal/privacy.ts'
import { siteOf } from '../site/data/loading.ts'

/** The personal data that the server keeps; the policy's table shows it. */
export const loader = (args: LoaderFunctionArgs) => siteOf(args).api(getRetention, {})

/** The data of the privacy policy. */
export type PrivacyData = Awaited<ReturnType<typeof loader>>
