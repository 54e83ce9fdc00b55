import { NotFoundScreen } from './not-found-screen.tsx'

/** The page of every address that does not exist (docs/contract.md, Pages). */
export const Component = () => <NotFoundScreen />
