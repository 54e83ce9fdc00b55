import type { LoaderFunctionArgs } from 'react-router'
import { siteOf } from '../site/loading.ts'
import { newSum } from '../site/sum.ts'

/** The sum of the withdrawal form. */
export const loader = async (args: LoaderFunctionArgs) => ({ sum: await newSum(siteOf(args).api) })

/** The data of the withdrawal function. */
export type WithdrawData = Awaited<ReturnType<typeof loader>>
