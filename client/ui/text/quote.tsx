/** What a client said. */
export type Said = {
  quote: string
  name: string
  role?: string | null | undefined
  company?: string | null | undefined
  /** The occasion on which it was said. */
  source?: string | null | undefined
}

/** What a client said, and who it was. */
export function Quote({
  said: { quote, name, role, company, source },
  className,
}: {
  said: Said
  className?: string
}) {
  return (
    <figure className={className}>
      <blockquote>{quote}</blockquote>
      <figcaption>
        <strong>{name}</strong>
        <span>{[role, company].filter(Boolean).join(', ')}</span>
        {source && <span>{source}</span>}
      </figcaption>
    </figure>
  )
}
