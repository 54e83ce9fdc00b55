import { grouped } from '#shared/text/counted.ts'

/** A count with its noun: 1 file, 2 files. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`

/** The ending of a file's name, as a mark for files without a picture. */
export const endingOf = (name: string) => /\.([^.]{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
