import { paths } from '#shared/paths.ts'

/**
 * The services that always have a page (docs/contract.md, Pages), for when their collection cannot
 * be read.
 */
export const serviceTitles = [
  'Photography',
  'Videography',
  'Public Relations',
  'Social Media',
  'Website Design',
  'Graphic Design',
  'Media Outsourcing',
].map((title) => ({ title, href: paths.service(title.toLowerCase().replace(' ', '-')) }))
