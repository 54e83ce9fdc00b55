import { idly } from '../ui/lazily.tsx'

/** The head of a page. The server writes it; its code is for the pages that follow. */
export const Head = idly(async () => (await import('./written-head.tsx')).WrittenHead)
