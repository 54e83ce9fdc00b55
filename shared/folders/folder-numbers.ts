/** Numbers of the folder pages that forms and their checks share. */
export const folderLimits = {
  maxComment: 1000,
  maxName: 80,
  maxNote: 2000,
  /** Files of one selection. */
  maxSelection: 20_000,
} as const

/** How much staff can send to a folder over HTTP. */
export const uploadLimits = {
  /** Bytes of one file. */
  maxFileBytes: 8 * 1024 ** 3,
  /** Bytes of one request of a resumable upload. */
  maxChunkBytes: 4 * 1024 ** 2,
  /** Files and bytes of the form that works without scripts. */
  maxFormFiles: 20,
  maxFormBytes: 24 * 1024 ** 2,
} as const
