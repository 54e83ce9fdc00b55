/** Bytes of known number that can be read from anywhere. */
export type ByteSource = {
  readonly size: number
  /**
   * Reads bytes into a buffer.
   * @param position of the first byte
   * @returns how many were read; at least one while position is before the end
   * @throws when what was promised is not there any more
   */
  read(into: Buffer, position: number): Promise<number>
  close(): Promise<void>
}
