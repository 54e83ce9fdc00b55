/** What a visitor is told whose message has become a ticket; its group is the ticket's number. */
export const thanks =
  /^Thank you for your message! We take it very seriously\. We will reply to you by the next working day at the latest\. Your ticket number: ([a-z0-9]{6})\.$/
