/** An act of the history, with what the thing was before and what it became. */
type Act = { act: string; before: string | null; after: string | null }

/** What was done, and what it made of the thing: `replied, new → answered`. */
export function actInWords({ act, before, after }: Act): string {
  if (before === null) {
    // What was requested is “requested” afterwards: once is enough.
    if (after === null || after === act) return act
    if (/^\d+$/.test(after)) return `${act}, number ${after}`
    // “Uploaded 2 files” goes on; what it became stands apart.
    return /^\d/.test(after) ? `${act} ${after}` : `${act}, ${after}`
  }
  if (before === after) return act
  return `${act}${act === 'status' ? '' : ','} ${before} → ${after ?? 'nothing'}`
}
