import { createElement, type ReactNode } from 'react'

/** A piece of a page: a text, or an element with its attributes under React's names. */
export type Piece = string | { tag: string; props: Record<string, string>; pieces: Piece[] }

/** What is in a page that is rendered as plainly as React can. */
export type PlainContent = { head: Piece[]; body: Piece[] }

/** The whole document: everything is a component's output, and everything is hydrated. */
export function PlainPage({ content }: { content: PlainContent }) {
  return createElement(
    'html',
    { lang: 'en' },
    createElement('head', null, ...content.head.map((piece, index) => Part(piece, index))),
    createElement('body', null, ...content.body.map((piece, index) => Part(piece, index))),
  )
}

function Part(piece: Piece, key: number): ReactNode {
  if (typeof piece === 'string') return piece
  const { tag, props, pieces } = piece
  return createElement(tag, { ...props, key }, ...pieces.map((each, index) => Part(each, index)))
}
