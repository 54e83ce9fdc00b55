import {
  createContext,
  use,
  useEffect,
  useRef,
  useState,
  type ChangeEvent,
  type RefObject,
} from 'react'
import { useLocation, useNavigation } from 'react-router'
import type { Entries } from '#shared/forms/form.ts'
import type { FormAnswer } from '../../forms/form-action.ts'
import { storeTyped, takeTyped } from './typed-storage.ts'

/** What is typed into the forms of a page, by act. */
export type TypedForms = Map<string, Entries>

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
  /** What its fields show: the form as it came back, or what was typed into it before. */
  answer: FormAnswer | undefined
  onChange(event: ChangeEvent<HTMLFormElement>): void
  /** Says that the browser itself sends the form, which leaves the page. */
  leave(): void
}

type Kept = {
  version: string
  typed: Entries
  /** The act that was sent last from any form of the page. */
  sent: string | null
  done: number
  /** Whether it was typed before the page was loaded again. */
  isRestored: boolean
}

/**
 * Keeps what is typed into a form while another form of the page is sent: the thing has changed then, so
 * untouched fields show what is known now, and only the form that was sent is empty again. A page that is
 * loaded again still has it, in this tab.
 * @param version of the thing, as the page shows it
 * @param refusal the form of the page that came back, if one did
 */
export function useTyped(act: string, version: string, refusal: FormAnswer | undefined): OwnForm {
  const own = refusal?.entries.act === act ? refusal : undefined
  const form = useRef<HTMLFormElement>(null)
  const forms = use(TypedFormsContext)
  const sending = useNavigation().formData?.get('act') ?? null
  const [kept, setKept] = useState<Kept>({
    version,
    typed: own?.entries ?? forms?.get(act) ?? {},
    sent: null,
    done: 0,
    isRestored: false,
  })
  const { typed, sent, done, isRestored } = kept
  if (typeof sending === 'string' && sending !== sent) {
    setKept({ ...kept, sent: sending })
  } else if (version !== kept.version) {
    const isDone = sent === act && !own
    setKept({
      ...kept,
      version,
      typed: isDone ? {} : typed,
      sent: null,
      done: isDone ? done + 1 : done,
    })
  }

  // What was typed before the scripts were there or the page was left, or what the browser remembered.
  const { pathname } = useLocation()
  useEffect(() => {
    const early = Array.from(form.current?.elements ?? []).filter(isChanged)
    const found = Object.fromEntries(early.map((field) => [field.name, entered(field)]))
    const stored = takeTyped(pathname, act)
    if (!stored && early.length === 0) return
    setKept((before) => ({
      ...before,
      typed: { ...stored, ...found, ...before.typed },
      isRestored: stored !== null,
    }))
  }, [pathname, act])

  useEffect(() => {
    forms?.set(act, typed)
  }, [forms, act, typed])

  const isTyped = Object.keys(typed).length > 0
  const isLeaving = useRef(false)
  useEffect(() => {
    const left = () => {
      if (isTyped && !isLeaving.current) storeTyped(pathname, act, typed)
    }
    // A page that comes back as it was still has it.
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      isLeaving.current = false
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
    answer: own ?? (isTyped ? { entries: typed, errors: {}, message: null } : undefined),
    onChange({ target }) {
      if (!isField(target) || isSecret(target)) return
      const { name } = target
      setKept((before) => ({ ...before, typed: { ...before.typed, [name]: entered(target) } }))
    },
    leave() {
      isLeaving.current = true
    },
  }
}

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
