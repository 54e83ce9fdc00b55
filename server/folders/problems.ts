import type { FolderProblem } from '#shared/folders.ts'
import { heldBack } from '#shared/held-back.ts'

/** Problems with their status and sentence. */
const problems = {
  missing: [404, "We couldn't find the page you're looking for."],
  gone: [410, 'This folder is closed.'],
  file: [404, 'This file is not here any more.'],
  held: [403, `${heldBack.one} Please ask us for it.`],
  selection: [404, 'This selection is not valid any more. Please choose again.'],
  scope: [403, 'Your secret code does not open downloads of this folder.'],
  limit: [429, 'All downloads of this folder have been used.'],
  busy: [503, 'Many downloads are running right now. Please try again in a moment.'],
  preparing: [503, 'Your ZIP is being prepared. It will start in a moment.'],
  'too-many': [429, 'Too many requests. Please wait a moment and try again.'],
  'too-large': [413, 'This selection is too large.'],
  malformed: [400, 'Nothing was chosen.'],
} as const satisfies Record<FolderProblem['why'], readonly [FolderProblem['status'], string]>

/** A problem as the page shows it. */
export function problem(id: string, why: FolderProblem['why']): FolderProblem {
  const [status, message] = problems[why]
  return { success: false, message, state: 'problem', id, status, why }
}
