import { expect, it } from 'vitest'
import { balanceOf } from '../../scripts/client/evm.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { fencesOf } from '../support/pages.ts'
import { CALL_PRICE } from '../support/payingClient.ts'
import { pageStage } from './pageStage.ts'

const FUNDED = 10_000n
const page = pageStage(['near-intents'])

/** Hashes, addresses and the price are others every time. */
const shapeOf = (printed: string): string =>
  printed
    .replaceAll(/0x[0-9a-f]{64}\b/g, '<transaction>')
    .replaceAll(/0x[0-9a-fA-F]{40}\b/g, '<address>')
    .replaceAll(/[0-9]{9,}/g, '<amount>')

it('the page about paying by the call has the output of its program, and the chain shows three payments [x402-official-client]', async () => {
  const fences = await fencesOf('engine/x402/README.md')
  expect(page.save(fences)).toEqual(['pay-per-call.mjs'])
  const textOf = (kind: string) => fences.find(({ language }) => language === kind)?.text ?? expect.fail(`no ${kind}`)
  const [program = '', ...args] = textOf('sh').trim().split(' ')
  const { stdout } = await page.run(program, ...args)
  expect(shapeOf(stdout)).toBe(shapeOf(textOf('text')))
  const payer = /^payer (\S+)$/m.exec(stdout)?.[1] ?? ''
  expect(await balanceOf(page.service().control.rpcUrl(8453), USDC.base, payer)).toBe(FUNDED - 3n * CALL_PRICE)
}, 60_000)
