import { paths } from '#shared/paths.ts'
import type { Feature } from '../feature.ts'

/** The home page (docs/contract.md, Pages). */
export const homeFeature = (): Feature => ({
  name: 'home',
  pages: [paths.home()],
})
