/** Reports a problem in a file or row. */
export type Note = (problem: string, field?: string | null, level?: 'error' | 'warning') => void

/**
 * Extra files of a feature in CONTENT_DIR that aren't content; the content service neither serves nor
 * replaces them.
 */
export type ExtraContentFiles = {
  /** Whether a path below CONTENT_DIR is one of these files. */
  has(path: string): boolean
  /**
   * Validates the files that exist.
   * @param files every file of the folder
   * @param noteOf returns the reporter for a file, or for a row in it
   */
  check(
    dir: string,
    files: ReadonlySet<string>,
    noteOf: (file: string, row: { id: string } | null) => Note,
  ): Promise<void>
  /** The content service pictures they name. */
  pictures?(dir: string): Promise<readonly string[]>
  /** What staff should know after replacing one of them. */
  note?(path: string): string | null
}
