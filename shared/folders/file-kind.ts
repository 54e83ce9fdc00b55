/** How a file is shown. */
export type FileKind = 'image' | 'video' | 'audio' | 'document'
