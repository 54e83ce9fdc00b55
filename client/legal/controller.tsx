import { useIdentity } from '../site/identity.ts'

/** Who stands behind the site, as far as the settings say. */
export function Controller() {
  const { legal_name: legalName, brand, business_id: businessId, vat_id: vatId } = useIdentity()
  const { street, postal_code: postalCode, city, country, email, phone } = useIdentity()
  const place = [street, [postalCode, city].filter(Boolean).join(' '), country]
  return (
    <p>
      <strong>{legalName ?? brand}</strong>
      {businessId && (
        <>
          <br />
          Business ID {businessId}
          {vatId && `, VAT number ${vatId}`}
        </>
      )}
      {place.filter(Boolean).map((line) => (
        <span key={line}>
          <br />
          {line}
        </span>
      ))}
      {email && (
        <>
          <br />
          <a href={`mailto:${email}`}>{email}</a>
        </>
      )}
      {phone && (
        <>
          <br />
          <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
        </>
      )}
    </p>
  )
}

/** The address to write to, or the way to the contact form while it is not known. */
export function Mail() {
  const { email } = useIdentity()
  return email ? <a href={`mailto:${email}`}>{email}</a> : <a href="/#contact">our contact form</a>
}
