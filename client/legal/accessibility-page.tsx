import { accessibilityTexts } from '#shared/legal-texts.ts'
import { Head } from '../site/head/head.tsx'
import { Accessibility } from './accessibility.tsx'

/** The page of the accessibility statement. */
export const Component = () => (
  <>
    <Head title={accessibilityTexts.title} description={accessibilityTexts.description} />
    <Accessibility />
  </>
)
