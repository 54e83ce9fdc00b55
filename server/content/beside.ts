/** Takes what is wrong with a file; the file and the row are known by then. */
export type Note = (problem: string, field?: string | null, level?: 'error' | 'warning') => void

/**
 * Files of a noun that lie in CONTENT_DIR beside the content: the content service neither serves nor
 * replaces them.
 */
export type FilesBeside = {
  /** Whether a path below CONTENT_DIR is one of them. */
  has(path: string): boolean
  /**
   * Checks those that there are.
   * @param files every file of the folder
   * @param noteOf gives what takes the findings of a file, or of a row in it
   */
  check(
    dir: string,
    files: ReadonlySet<string>,
    noteOf: (file: string, row: { id: string } | null) => Note,
  ): Promise<void>
  /** The pictures of the content service that they name. */
  pictures?(dir: string): Promise<readonly string[]>
  /** What staff should know who have replaced one of them. */
  note?(path: string): string | null
}
