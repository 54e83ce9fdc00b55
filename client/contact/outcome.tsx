import { contactLimits } from '#shared/contact-limits.ts'
import { thankYouText, thankYouTitles, verificationFailed } from '#shared/contact-texts.ts'
import { Popup } from './popup.tsx'

type Props = {
  /** Which popup is open. */
  shown: 'thanks' | 'failed'
  ticketId: string | null
  /** What to say of a message that the server does not have yet; null once it has it. */
  notYet: readonly string[] | null
  /** @param byItself true when the popup's time was over */
  onClose: (byItself: boolean) => void
}

/** What became of a message, in a popup: thanks with the ticket number, or a wrong answer. */
export function Outcome({ shown, ticketId, notYet, onClose }: Props) {
  if (shown === 'failed') {
    return (
      <Popup
        title={verificationFailed.title}
        after={contactLimits.verificationFailedMs}
        anywhere
        onClose={onClose}
      >
        <p>{verificationFailed.text}</p>
      </Popup>
    )
  }
  if (!ticketId) return null
  return (
    <Popup
      title={notYet ? thankYouTitles.waiting : thankYouTitles.saved}
      after={contactLimits.thanksMs}
      onClose={onClose}
    >
      <ThankYou ticketId={ticketId} />
      {notYet?.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Popup>
  )
}

/** The thank-you text, word for word, with its number easy to find. */
function ThankYou({ ticketId }: { ticketId: string }) {
  const [before, after] = thankYouText(ticketId).split(ticketId)
  return (
    <p>
      {before}
      <strong>{ticketId}</strong>
      {after}
    </p>
  )
}
