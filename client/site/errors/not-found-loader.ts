import { data } from 'react-router'

/** Gives the page its real status. */
export const loader = () => data(null, { status: 404 })
