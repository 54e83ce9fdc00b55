import { data } from 'react-router'
import { NotFoundScreen } from './not-found-screen.tsx'

/** Gives the page its real status. */
export const loader = () => data(null, { status: 404 })

/** The page of every address that does not exist (docs/contract.md, Pages). */
export const Component = () => <NotFoundScreen />
