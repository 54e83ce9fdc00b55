import * as z from 'zod/mini'
import type { DeskLine } from './lines.ts'
import { endpoint, json } from '../endpoint.ts'

/** A fact about a thing; `href` where it opens something. */
export type DeskFact = { name: string; text: string; href?: string | null }

/** A field of a form at the desk. */
export type DeskField = {
  name: string
  label: string
  /** What is typed into a password is never shown again. */
  kind: 'text' | 'textarea' | 'email' | 'password' | 'date' | 'number' | 'select' | 'check'
  value?: string
  hint?: string
  required?: boolean
  /** Fields that follow each other with the same row stand side by side, under its name. */
  row?: string
  options?: readonly { value: string; label: string }[]
}

/** Something that staff can do with a thing as it is now. */
export type DeskAct = {
  act: string
  /** On its button. */
  label: string
  /** What happens, before anyone presses. */
  hint?: string
  /** Whether it can't be undone, or takes something away. */
  isDanger?: boolean
  /** Whether it reaches beyond the thing: a link in staff's email, the right to one thing, doesn't offer it. */
  isForDesk?: boolean
  fields: readonly DeskField[]
}

/** Files that staff can send to a thing: by a form, and in pieces where the page has its scripts. */
export type DeskUpload = {
  /** What names the thing, in the metadata of a resumable upload. */
  folder: string
  /** The parts of the thing that a file can go to, by name; a new name makes another one. */
  sections: readonly string[]
  /** Endings for the file field, such as `.jpg,.png`. */
  accept: string
  /** What became of the last files; the newest first. */
  lines: readonly DeskLine[]
}

/** A thing as its feature shows it to staff. */
export type DeskThing = {
  /** What it is and its reference, such as “Order APX-1A2B3C”. */
  label: string
  title: string
  facts: readonly DeskFact[]
  /** What belongs to it, such as the lines of an order. */
  parts: readonly { title: string; lines: readonly DeskLine[] }[]
  /** Where files can be sent to it. */
  upload?: DeskUpload
  acts: readonly DeskAct[]
  /** Who did what and when, oldest first; `at` in ISO 8601. */
  history: readonly { at: string; text: string }[]
}

/** A thing with what its page needs beside. */
export type DeskThingView = DeskThing & {
  /** What a form says it showed; another one means that someone changed the thing. */
  state: string
  /** Who looks at it; null on a page that the link in an email opened. */
  actor: string | null
}

/** Max characters of a name that a person gives at the desk. */
export const maxStaffNameLength = 60

const which = { thing: z.string(), id: z.string() }

/** A thing for staff: by its name with a desk code, or by the token of the link in their email. */
export const getDeskThing = endpoint({
  method: 'GET',
  path: '/api/desk/things/:thing/:id',
  input: z.object(which),
  output: json<DeskThingView>(),
})

/** Does an act of {@link DeskThing.acts}; 409 when the thing has changed since it was shown. */
export const changeDeskThing = endpoint({
  method: 'POST',
  path: '/api/desk/things/:thing/:id',
  input: z.object({
    ...which,
    act: z.string().check(z.maxLength(40)),
    state: z.string().check(z.maxLength(40)),
    by: z.optional(z.string().check(z.maxLength(maxStaffNameLength))),
    entries: z.record(z.string().check(z.maxLength(60)), z.string().check(z.maxLength(5_000))),
  }),
  output: json<DeskOutcome>(),
})

/** What an act would lead to, for the form that does it once more pressed. */
export type DeskPreview = {
  act: string
  /** On its button. */
  label: string
  /** What would happen, a line each. */
  text: string
  /** What the form sends, by name: what was typed, and what says that it was looked at. */
  entries: Record<string, string>
}

/** What an act led to. */
export type DeskOutcome = {
  success: true
  /** Instead of having acted: what would happen, and the state that it is told of. */
  preview?: DeskPreview & { state: string }
  /** What staff are told once, such as a new code. */
  notice: string | null
  /** What names the thing from now on; null when it has been removed. */
  id: string | null
}

/** The page that a link in a staff email opens. */
export const findDeskLink = endpoint({
  method: 'GET',
  path: '/api/desk/links/:token',
  input: z.object({ token: z.string() }),
  output: json<{ href: string }>(),
})
