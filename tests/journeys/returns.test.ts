import { fillCheckout } from '../support/checkout-form.ts'
import { runOn } from '../support/in-process-cli.ts'
import { markupFaults } from '../support/markup-faults.ts'
import { orderByInvoice } from '../support/shop.ts'
import { expect, test, violations } from './site.ts'

const print = '/shop/products/blue-hour-fine-art-print'

test('an order that has left in part says so, and when the rest ships alone', async ({
  page,
  site,
}) => {
  const { order, token } = await orderByInvoice(site, [
    ['blue-hour-fine-art-print', '30x40-matte', 2],
    ['paddock-postcards', 'box-of-twelve', 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  await runOn(site, 'orders', 'ship', order, '--line', '1x1', '2')
  await page.goto(`/shop/checkout/success?order=${token}`)
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Part of your order is on its way',
  )
  await expect(page.getByText('We’ll email you when the rest ships.')).toBeVisible()
  await expect(delivery).toContainText('Blue Hour')
  await expect(delivery).not.toContainText('Paddock Post')
  await runOn(site, 'orders', 'ship', order)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shipped')
  await expect(delivery).toHaveCount(0)
})

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('one of three lines is withdrawn from, and paid back', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/400/)
      const { order, token } = await orderByInvoice(site, [
        ['blue-hour-fine-art-print', '30x40-matte', 2],
        ['paddock-postcards', 'box-of-twelve', 1],
        ['winter-wallpapers', 'personal', 1],
      ])
      await runOn(site, 'orders', 'paid', order)
      await runOn(site, 'orders', 'ship', order)
      await page.goto(`/shop/withdraw?order=${order}`)
      await page.getByLabel('Name').fill('Aino Virtanen')
      await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
      await page.getByRole('button', { name: 'Continue' }).click()
      const choice = page.getByRole('group', { name: 'What are you withdrawing from?' })
      await expect(choice.getByRole('listitem')).toHaveCount(3)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      for (const quantity of await choice.getByRole('spinbutton').all()) await quantity.fill('0')
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
      await expect(page.getByRole('alert')).toContainText('Please choose at least one item')
      await page.getByRole('spinbutton', { name: /Paddock Post/ }).fill('1')
      await page.getByRole('button', { name: 'Confirm withdrawal' }).click()
      await expect(page.getByText('We have received your withdrawal')).toBeVisible()
      await expect(page.getByText('Paddock Post, twelve postcards')).toBeVisible()
      await expect(page.getByText('Blue Hour')).toHaveCount(0)
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      // The page of the order says so, too, and asks nothing more of the buyer.
      await page.goto(`/shop/checkout/success?order=${token}`)
      await expect(page.getByText('We’ve received your withdrawal')).toBeVisible()
      await expect(page.getByRole('main')).toContainText('Received on 20 November 2026')
      const { withdrawals, payouts, ofNumber } = site.context.features.orders.actions
      const [{ withdrawal, stage }] = withdrawals.cases() as [
        ReturnType<typeof withdrawals.cases>[number],
      ]
      expect(stage).toBe('goods awaited')
      const id = String(withdrawal.id)
      await runOn(site, 'orders', 'withdrawals', 'back', id)
      await runOn(site, 'orders', 'withdrawals', 'settle', id, '--restock')
      expect(payouts()).toMatchObject([{ amount: ofNumber(order)!.lines[1]!.total }])
      await page.reload()
      await expect(page.getByText('We’ve received your withdrawal')).toHaveCount(0)
    })

    test('a cancelled order promises no delivery and has nothing to withdraw from', async ({
      page,
      site,
    }) => {
      const { order, token } = await orderByInvoice(site, [
        ['blue-hour-fine-art-print', '30x40-matte', 1],
      ])
      const main = page.getByRole('main')
      await page.goto(`/shop/checkout/success?order=${token}`)
      await expect(main.getByText('Ships 1–10 working days after payment.')).toBeVisible()
      await expect(main.getByRole('link', { name: 'Withdraw from contract here' })).toBeVisible()
      await runOn(site, 'orders', 'cancel', order)
      await page.reload()
      await expect(main.getByRole('heading', { level: 1 })).toHaveText('This order is cancelled')
      await expect(main.getByText(/^Ships/)).toHaveCount(0)
      await expect(main.getByRole('link', { name: 'Withdraw from contract here' })).toHaveCount(0)
    })

    test('a buyer in the United States gives state and phone, and hears of import duty', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/400/)
      await page.goto(print)
      await expect(page.getByText('Ships 1–10 working days after payment.')).toBeVisible()
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await expect(page.getByText('Ships 1–10 working days after payment.')).toBeVisible()
      await page.getByRole('link', { name: 'Checkout' }).click()
      await expect(
        page.getByText('Ships 1–10 working days after payment.').filter({ visible: true }),
      ).toHaveCount(1)
      await expect(page.getByText(/import VAT, customs duty/)).toBeVisible()
      expect(await page.locator('input[name=payment]:checked').count()).toBe(0)
      await fillCheckout(page)
      await page.getByLabel('Country').selectOption('US')
      if (!javaScriptEnabled) {
        await page.getByRole('button', { name: 'Update the total' }).first().click()
      }
      // Exports cost their net price, shipping included.
      await expect(page.getByText('€11.87').filter({ visible: true })).toHaveCount(1)
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await page.getByRole('link', { name: /^Please enter the state/ }).click()
      await expect(page.getByLabel('State or province')).toBeFocused()
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.getByLabel('State or province').fill('IN')
      await page.getByLabel('Flat, floor or building').fill('Gasoline Alley 7')
      await page.getByLabel('Phone').fill('+1 317 555 0100')
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
      await expect(page.getByText(/Gasoline Alley 7, Helsinki, IN 00100/)).toBeVisible()
      const [order] = site.context.features.orders.actions.orders.list()
      expect(order).toMatchObject({ country: 'US', region: 'IN', phone: '+1 317 555 0100' })
    })

    test('what is picked up costs no delivery and asks for no address', async ({ page, site }) => {
      await page.goto(print)
      await page.getByRole('button', { name: 'Add to cart' }).click()
      await page.getByRole('link', { name: 'Checkout' }).click()
      await page.getByRole('radio', { name: /^Pick up in Helsinki/ }).check()
      if (!javaScriptEnabled) {
        await page.getByRole('button', { name: 'Update the total' }).first().click()
      }
      await expect(page.getByRole('group', { name: 'Your address' })).toBeVisible()
      await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
      await page.getByLabel('Name', { exact: true }).fill('Aino Virtanen')
      await page.getByRole('radio', { name: /^Bank transfer/ }).check()
      await page.getByLabel(/^I have read/).check()
      await page.getByRole('button', { name: 'Order and pay' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you for your order')
      await expect(page.getByText(/ready to pick up: Satamaradankatu 4/)).toBeVisible()
      const [order] = site.context.features.orders.actions.orders.list()
      expect(order).toMatchObject({ pickup: true, shipping: 0, total: 8900 })
    })

    test('the page of an order shows both of its parcels, and opens files at once', async ({
      page,
      site,
      complaints,
    }) => {
      complaints.expect(/400/)
      const { order, token } = await orderByInvoice(site, [
        ['blue-hour-fine-art-print', '30x40-matte', 2],
        ['winter-wallpapers', 'personal', 1],
      ])
      await runOn(site, 'orders', 'paid', order)
      await runOn(
        site,
        'orders',
        'ship',
        order,
        '--line',
        '1x1',
        '--carrier',
        'Posti',
        '--tracking',
        'JJFI1',
      )
      await runOn(site, 'orders', 'ship', order)
      await page.goto(`/shop/checkout/success?order=${token}`)
      await expect(page.getByRole('heading', { name: 'Your parcels' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Follow parcel JJFI1' })).toHaveAttribute(
        'href',
        /posti\.fi/,
      )
      await expect(page.getByText(/^It opens on/).first()).toBeVisible()
      await page.getByRole('button', { name: 'Open my files' }).click()
      await expect(
        page.getByText('Please tick that you lose the right of withdrawal'),
      ).toBeVisible()
      if (javaScriptEnabled) expect(await violations(page)).toEqual([])
      await page.getByLabel(/^I want immediate access/).check()
      await page.getByRole('button', { name: 'Open my files' }).click()
      await expect(page.getByRole('link', { name: /^Download/ }).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Open my files' })).toHaveCount(0)
    })
  })
}

test('countries, costs, pickup and the legal guarantee have a page, before there is a cart', async ({
  page,
}) => {
  await page.goto(print)
  await page.getByRole('link', { name: 'Countries and costs' }).click()
  await expect(page).toHaveURL('/shop/delivery')
  await expect(page.getByRole('row', { name: /^Finland/ })).toContainText('€5.90')
  await expect(page.getByText(/Canada/).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Legal guarantee/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await markupFaults(page)).toEqual([])
})

test('whoever has withdrawn from everything is asked to choose nothing more', async ({
  page,
  site,
}) => {
  const { order } = await orderByInvoice(site, [
    ['blue-hour-fine-art-print', '30x40-matte', 1],
    ['paddock-postcards', 'box-of-twelve', 1],
  ])
  await runOn(site, 'orders', 'paid', order)
  for (const isLeft of [true, false]) {
    await page.goto(`/shop/withdraw?order=${order}`)
    await page.getByLabel('Name').fill('Aino Virtanen')
    await page.getByLabel('Email', { exact: true }).fill('aino@example.com')
    await page.getByRole('button', { name: 'Continue' }).click()
    const confirm = page.getByRole('button', { name: 'Confirm withdrawal' })
    if (isLeft) {
      await expect(page.getByText('Enter 0 for anything you’re keeping.')).toBeVisible()
      await expect(page.getByText('for the items chosen below')).toBeVisible()
      await confirm.click()
      await expect(page.getByText('We have received your withdrawal')).toBeVisible()
    } else {
      const heading = page.getByRole('heading', { name: 'There’s nothing left to withdraw from' })
      await expect(heading).toBeVisible()
      await expect(confirm).toHaveCount(0)
    }
  }
})
