import { paths } from '../paths.ts'

/** The page of a person at the desk: everything of an email address, whose letter case does not count. */
export const deskPersonPath = (email: string): string =>
  paths.deskThing('people', email.trim().toLowerCase())
