import { decodePaymentRequiredHeader } from '@x402/core/http'
import { validateAndExtract, validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentedOperations } from '../support/documentedOperations.ts'
import { openX402, type X402Stage } from '../support/x402Stage.ts'

/** The longest header that most proxies pass on, both ways; the client sends it back with its signed payment. */
const HEADER_BYTES_MAX = 8 * 1024
const PAYMENT_BYTES = 1_500

const PAID = documentedOperations.all.filter(({ operation }) => operation.operationId.startsWith('x402'))

let stage: X402Stage
beforeAll(async () => {
  stage = await openX402()
})
afterAll(() => stage.close())

describe('the 402 of every paid call', () => {
  it.each(PAID.map(({ path, method }) => [path, method.toUpperCase()] as const))(
    '%s (%s) describes input and output for the official validators [x402-discovery]',
    async (path, method) => {
      const { status, headers } = await stage.edge.call(path, { method, ...(method === 'POST' && { body: '{}' }) })
      expect(status).toBe(402)
      const header = headers['payment-required'] ?? ''
      expect(header.length + PAYMENT_BYTES).toBeLessThan(HEADER_BYTES_MAX)
      const { extensions = {}, resource } = decodePaymentRequiredHeader(header)
      expect(resource.url).toMatch(new RegExp(`${path}$`))
      const bazaar = extensions['bazaar'] as Parameters<typeof validateDiscoveryExtension>[0]
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
      expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toEqual({ valid: true })
      const { info } = validateAndExtract(bazaar)
      expect(info?.input).toMatchObject({ type: 'http', method })
      const asked = info?.input as { readonly body?: object; readonly queryParams?: object }
      const names = Object.keys((method === 'POST' ? asked.body : asked.queryParams) ?? {})
      expect(names.length).toBeGreaterThan(0)
      expect(Object.keys(info?.output?.example ?? {}).length).toBeGreaterThan(0)
    },
  )
})
