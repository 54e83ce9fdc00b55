/** Numbers of the folder pages that forms and their checks share. */
export const folderLimits = {
  maxComment: 1000,
  maxName: 80,
  maxNote: 2000,
  /** Files of one selection. */
  maxSelection: 20_000,
} as const
