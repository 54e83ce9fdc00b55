import { answerTasks } from '../../concurrency/worker-thread.ts'
import { eventsOfIcs } from './icalendar.ts'
import type { IcsResult, IcsTask } from './read-icalendar.ts'

// What `read-icalendar.ts` runs in its own thread: a season takes a while to parse, and a crafted
// rule for repeating might take for ever.
answerTasks(async ({ text, options }: IcsTask): Promise<IcsResult> => {
  try {
    return { rows: eventsOfIcs(text, options) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
})
