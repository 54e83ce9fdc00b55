import { legalVersions } from '#shared/legal.ts'
import {
  termsSections,
  termsSpans,
  withdrawalFormText,
  type TermsBlock,
  type TermsSpan,
} from '#shared/terms.ts'
import { useIdentity } from '../site/identity.ts'
import { Controller, Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'

/** The terms of service. */
export const Terms = () => (
  <LegalDocument
    title="Terms of service"
    lead="What you can expect from us, what we expect from you, and what happens when the weather has other plans."
    versions={legalVersions.terms}
    sections={sections}
  />
)

const sections = termsSections.map(({ id, title, blocks }) => ({
  id,
  title,
  body: (
    <>
      {id === 'parties' && <Controller />}
      {blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
      {id === 'withdrawal' && <Form />}
    </>
  ),
}))

function Block({ block }: { block: TermsBlock }) {
  if (typeof block === 'string') return <p>{termsSpans(block).map(span)}</p>
  return (
    <ul>
      {block.map((point) => (
        <li key={point}>{termsSpans(point).map(span)}</li>
      ))}
    </ul>
  )
}

function span({ words, href }: TermsSpan) {
  if (words === '{mail}') return <Mail key={words} />
  if (href === null) return words
  return (
    <a key={href} href={href}>
      {words}
    </a>
  )
}

function Form() {
  const { legal_name: legalName, brand, street, postal_code: code, city } = useIdentity()
  const to = [legalName ?? brand, street, [code, city].filter(Boolean).join(' ')]
  return (
    <>
      <h3>Form of withdrawal</h3>
      <blockquote>
        <p>
          To {to.filter(Boolean).join(', ')}: {withdrawalFormText}
        </p>
      </blockquote>
    </>
  )
}
