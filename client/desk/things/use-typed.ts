import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ChangeEvent,
  type RefObject,
} from 'react'
import { useLocation, useNavigation } from 'react-router'
import { entriesOf, type Entries } from '#shared/forms/form.ts'
import type { FormAnswer } from '../../forms/form-action.ts'
import type { DeskAnswer } from './desk-answer.ts'
import { storeTyped, takeTyped } from './typed-storage.ts'

/** What is typed into the forms of a page, by act; each with the `state` that its form showed then. */
export type TypedForms = Map<string, Entries>

/** Whether a form of the page is sent by the browser itself, which leaves the page. */
let isSentByBrowser = false

/**
 * Outlives the forms of a page: they go when the session ends, also by logging out in another window,
 * and come back with what was in them once someone has signed in again.
 */
export const TypedFormsContext = createContext<TypedForms | null>(null)

/** One of several forms on the page of a thing that changes. */
type OwnForm = {
  form: RefObject<HTMLFormElement | null>
  /** Of the form: another one shows its fields again. */
  formKey: string
  /** Of what folds the form up: another one once the act was done. */
  doneKey: string
  /** What the form sends as its `state`: the one that the page showed when the typing began. */
  state: string
  /** What its fields show: the form as it came back, or what was typed into it before. */
  answer: FormAnswer | undefined
  onChange(event: ChangeEvent<HTMLFormElement>): void
  /** Says that the browser itself sends the form, which leaves the page. */
  leave(): void
}

/** The act of a form that was sent, and the state that it showed. */
type Sent = { act: string | undefined; state: string | undefined }

type Kept = {
  version: string
  typed: Entries
  /** What was sent last from any form of the page, until it is answered. */
  sent: Sent | null
  /** The answer that was last seen. */
  refusal: DeskAnswer | undefined
  done: number
  /** Whether it was typed before the page was loaded again. */
  isRestored: boolean
}

/**
 * Keeps what is typed into a form while another form of the page is sent: the thing has changed then, so
 * untouched fields show what is known now, and only the form that was sent is empty again. A page that is
 * loaded again still has it, in this tab.
 *
 * What others did meanwhile may come onto the page without a word, by asking again or by loading it. So a
 * form goes on sending the state that it was typed over, and the server refuses it once, with what was done.
 * @param thing `state` is what the page's forms carry, `version` changes with all that it shows
 * @param refusal the form of the page that came back, if one did
 */
export function useTyped(
  act: string,
  { state, version }: { state: string; version: string },
  refusal: DeskAnswer | undefined,
): OwnForm {
  const own = refusal?.entries.act === act ? refusal : undefined
  const form = useRef<HTMLFormElement>(null)
  const forms = use(TypedFormsContext)
  const sending = useNavigation().formData
  const [kept, setKept] = useState<Kept>({
    version,
    typed: {
      ...own?.entries,
      ...(own?.isChanged && { state }),
      ...forms?.get(act),
    },
    sent: null,
    refusal,
    done: 0,
    isRestored: false,
  })
  const { typed, sent, done, isRestored } = kept
  const isAnswered = refusal !== kept.refusal
  if (version !== kept.version || isAnswered) {
    const answered = isAnswered && refusal ? sentBy(refusal.entries) : sent
    const isDone = version !== kept.version && answered?.act === act && !own
    const next = { ...(isAnswered && own?.entries), ...typed }
    // Who has sent a form sees what came of it, or is told of the other change.
    const isTold = answered !== null && (!refusal || refusal.isChanged)
    setKept({
      ...kept,
      version,
      typed: isDone ? {} : isTold && next.state === answered.state ? { ...next, state } : next,
      sent: null,
      refusal,
      done: isDone ? done + 1 : done,
    })
  } else if (sending ? (sending.get('act') ?? undefined) !== sent?.act : sent) {
    setKept({ ...kept, sent: sending ? sentBy(entriesOf(sending)) : null })
  }

  // What was typed before the scripts were there or the page was left, or what the browser remembered.
  const { pathname } = useLocation()
  const findTyped = useEffectEvent((page: string, ofAct: string) => {
    const early = Array.from(form.current?.elements ?? []).filter(isChanged)
    const found = Object.fromEntries(early.map((field) => [field.name, entered(field)]))
    const stored = takeTyped(page, ofAct)
    if (!stored && early.length === 0) return
    setKept((before) => ({
      ...before,
      typed: { state, ...stored, ...found, ...before.typed },
      isRestored: stored !== null,
    }))
  })
  useEffect(() => findTyped(pathname, act), [pathname, act])

  useEffect(() => {
    forms?.set(act, typed)
  }, [forms, act, typed])

  const isTyped = Object.keys(typed).length > 0
  const isLeaving = useRef(false)
  useEffect(() => {
    const left = () => {
      if (!isTyped || isLeaving.current) return
      // The page that answers a form shows it again, as it is by then.
      const { state: _, ...others } = typed
      storeTyped(pathname, act, isSentByBrowser ? others : typed)
    }
    // A page that comes back as it was still has it.
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      isLeaving.current = false
      isSentByBrowser = false
      takeTyped(pathname, act)
    }
    addEventListener('pagehide', left)
    addEventListener('pageshow', back)
    return () => {
      removeEventListener('pagehide', left)
      removeEventListener('pageshow', back)
    }
  }, [pathname, act, isTyped, typed])

  return {
    form,
    // A list shows another choice only where it begins.
    formKey: isRestored ? `${kept.version}-restored` : kept.version,
    doneKey: `${act}-${done}`,
    state: typed.state ?? state,
    answer: own ?? (isTyped ? { entries: typed, errors: {}, message: null } : undefined),
    onChange({ target }) {
      if (!isField(target) || isSecret(target)) return
      const { name } = target
      setKept((before) => ({
        ...before,
        typed: { state, ...before.typed, [name]: entered(target) },
      }))
    },
    leave() {
      isLeaving.current = true
      isSentByBrowser = true
    },
  }
}

/** What was sent, of its entries. */
const sentBy = ({ act, state }: Entries): Sent => ({ act, state })

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isField = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement

/** Whether a field can't or mustn't be filled in again. */
const isSecret = ({ type }: Control) => ['file', 'password', 'hidden'].includes(type)

const isBox = (field: Control): field is HTMLInputElement => field.type === 'checkbox'

const entered = (field: Control): string => {
  if (isBox(field)) return field.checked ? 'on' : ''
  return field.value
}

/** Whether a field shows something else than it came with. */
function isChanged(element: Element): element is Control {
  if (!isField(element) || isSecret(element)) return false
  if (isBox(element)) return element.checked !== element.defaultChecked
  if (element instanceof HTMLSelectElement) {
    const options = Array.from(element.options)
    const usual = options.find(({ defaultSelected }) => defaultSelected) ?? options[0]
    return element.value !== usual?.value
  }
  return element.value !== element.defaultValue
}
