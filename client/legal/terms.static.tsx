import { termsTexts } from '#shared/legal/legal-texts.ts'
import {
  termsSpans,
  termsWith,
  withdrawalFormText,
  type TermsBlock,
  type TermsSpan,
} from '#shared/legal/terms.ts'
import { paths } from '#shared/paths.ts'
import { useIdentity } from '../site/data/identity.ts'
import { Controller, Mail } from './controller.tsx'
import { LegalDocument } from './document.tsx'
import type { TermsData } from './terms-loader.ts'

/** The terms of service. */
export const Component = ({ cancellation, versions }: TermsData) => (
  <LegalDocument
    title={termsTexts.title}
    lead={termsTexts.lead}
    versions={versions.map(({ isKept, ...version }) => ({
      ...version,
      href: isKept ? paths.termsPdf(version.version) : null,
    }))}
    sections={termsWith(cancellation).map(({ id, title, blocks }) => ({
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
    }))}
  />
)

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
      <h3>Withdrawal form</h3>
      <blockquote>
        <p>
          To {to.filter(Boolean).join(', ')}: {withdrawalFormText}
        </p>
      </blockquote>
    </>
  )
}
