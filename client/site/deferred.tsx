import {
  createContext,
  startTransition,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import type { headTags, PageHead, PageSeo } from '#shared/seo/head-tags.ts'
import type { LoadCount } from '../analytics/use-own-counting.ts'

/** What a page says of itself in its head. */
export type HeadProps = PageHead & {
  type?: 'website' | 'article'
  /** Keeps search engines away. */
  hidden?: boolean
  /** Of a view with its own address inside the page, of which the page's record says nothing. */
  address?: string
}

/** What a page says in its head, and what is known of it beside. */
export type HeadTagsProps = HeadProps & {
  /** What the SEO collection says of the page. */
  record: PageSeo | null
  origin: string
  pathname: string
  search: string
  brand: string
}

/** What `deferred-code.ts` exports; said here, since what it exports asks for it in turn. */
export type DeferredCode = {
  Background: ComponentType<{ prepareToLeave: () => void; loadCount: LoadCount }>
  BrokenScreen: ComponentType<{ message: string; retry: () => void }>
  ErrorScreen: ComponentType<{ error: unknown }>
  HeadTags: ComponentType<HeadTagsProps>
  headTags: typeof headTags
  Loading: ComponentType
  LogoutButton: ComponentType
  runFooter: (footer: HTMLElement, signal: AbortSignal) => void
}

/**
 * Code that no page needs in order to be hydrated, and each next one may: what writes heads, shows
 * errors and runs the footer. The server has it from the start, a browser once its first page is
 * alive; null until then.
 */
export const DeferredContext = createContext<DeferredCode | null>(null)

/**
 * Provides {@link DeferredContext} in the browser.
 * @param loaded the code, where the first page is an error and needs it at once
 */
export function Deferred({
  loaded,
  load,
  children,
}: {
  loaded: DeferredCode | null
  load: () => Promise<DeferredCode>
  children: ReactNode
}) {
  const [code, setCode] = useState(loaded)
  useEffect(() => {
    if (code) return
    load().then(
      // As a transition, since it reaches parts that are still to be hydrated: where their own code is
      // late, React would take what the server has written of them off the page, as the bar of a tool.
      (came) => startTransition(() => setCode(came)),
      // Without it the document keeps its head, and an error is told in plain words.
      () => {},
    )
  }, [code, load])
  return <DeferredContext value={code}>{children}</DeferredContext>
}
