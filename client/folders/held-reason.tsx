import { heldBack } from '#shared/held-back.ts'
import { paths } from '#shared/paths.ts'

/** Why a camera's own file is not given away, in the place of its download. */
export const HeldReason = () => (
  <>
    {heldBack.one}{' '}
    <a href={paths.contact()} data-contact="A camera file of a shared folder">
      Ask us for it
    </a>
    .
  </>
)
