import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { loadSharp } from '../../images/sharp.ts'
import type { Transform } from './image-request.ts'
import { transform } from './transform.ts'

/** A picture to be made in a process of its own. */
export type PictureTask = {
  readonly id: number
  /** Path of the original. */
  readonly source: string
  readonly preset: Transform
  readonly focal: readonly [number, number]
  /** Path of the file to write. */
  readonly target: string
}

/** What became of a task; `problem` is null for a picture that is there. */
export type PictureReply = { readonly id: number; readonly problem: string | null }

// Before the first picture: threads keep the priority of the one that begins them.
setPriority(constants.priority.PRIORITY_LOW)
// The server has gone, however it ended.
process.on('disconnect', () => process.exit())
process.on('message', (task: PictureTask) => {
  void make(task).then((problem) => process.send?.({ id: task.id, problem } satisfies PictureReply))
})

async function make({ source, preset, focal, target }: PictureTask): Promise<string | null> {
  try {
    const sharp = await loadSharp()
    // Two tasks at a time share the processor better than the threads of one.
    sharp.concurrency(1)
    await writeFile(target, await transform(source, preset, focal))
    return null
  } catch (err) {
    return String(err)
  }
}
