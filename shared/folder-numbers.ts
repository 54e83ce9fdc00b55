/** Numbers of the folder pages that forms and their checks share. */
export const folderLimits = {
  commentMost: 1000,
  nameMost: 80,
  noteMost: 2000,
  /** Files of one selection. */
  selectionMost: 20_000,
} as const
