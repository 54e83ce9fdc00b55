/** The lowest price of a service, from euro cents without VAT. */
export function Price({ cents }: { cents: number }) {
  const euros = (cents / 100).toLocaleString('en-GB', {
    minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
  })
  return (
    <>
      from <strong>{`€${euros}`}</strong> <small>excl. VAT</small>
    </>
  )
}
