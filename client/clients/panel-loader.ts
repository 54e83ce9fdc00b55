import type { LoaderFunctionArgs } from 'react-router'
import { getPanel } from '#shared/clients/clients.ts'
import { siteOf } from '../site/data/loading.ts'

/** The panel of the address, or the visitor's own; null unless it is the visitor's. */
export const loader = (args: LoaderFunctionArgs) =>
  siteOf(args).api(getPanel, args.params.code === undefined ? {} : { panel: args.params.code })

/** The data of a panel's page. */
export type PanelData = Awaited<ReturnType<typeof loader>>
