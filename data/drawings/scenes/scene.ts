import type { Grade } from '../film.ts'
import type { Frame } from '../frame.ts'

/** A picture to be drawn: its media id, how to compose it, how to develop it. */
export interface Scene {
  readonly id: string
  readonly grade?: Grade
  paint(): Promise<Frame>
}
