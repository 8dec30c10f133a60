import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { bitcoinHex, broadcastBitcoin } from '../../../scripts/client/bitcoin.ts'
import { allowanceOf, evmBytes, reorganiseEvm, resendEvm } from '../../../scripts/client/evm.ts'
import { type CarriedOut, follow, lastOf, type Open, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { BITCOIN } from '../../../scripts/client/tokens.ts'
import type { SwapStatus } from '../../../scripts/client/wire.ts'
import { expectFailure } from '../../support/expectFailure.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { type Attempt, kindOf, type Late, newAddress, newWallet, openAttempt, quoteFor } from './attempt.ts'
import { expectMovedBy, expectPaidBy, HASHES, withoutFinality } from './delivery.ts'
import type { Ending, Journey, Reorg, State, VenueJourneys } from './journey.ts'

const TERMINAL: readonly State[] = ['success', 'refunded', 'failed']
/** `npm test` runs the first journey of each venue; the other tiers run the rest. */
const IS_QUICK = process.env['SWAP_TEST_TIER'] === 'quick'
const LONG_STEP_MS = 10 * MINUTE_MS
/** The prices of the offline network. */
const USUAL_USD = { BTC: '98400', ETH: '3950' }

/** A refund is owed until its block counts. Whether a request falls into that time is chance, unless the table names the state. */
const statedOf = (seen: readonly string[], { states }: Ending): readonly string[] =>
  states.at(-1) === 'refunded' && !states.includes('expired') ? seen.filter((state) => state !== 'expired') : seen

type PaidOut = { readonly kind: 'output' | 'refund'; readonly chainId: number; readonly token: string; readonly amount: bigint }

/** Takes a venue from quote to the end over HTTP, with a real wallet library for each chain, and counts the money on both sides. */
export const runJourneys = (table: VenueJourneys): void => {
  describe(table.venue.name, () => {
    const { venue, states: usual, success, stepMs: step, buildsAlone = false, isAtOnce = false, journeys } = table
    let service: TestService
    beforeAll(async () => {
      service = await startService({ ...only(venue.id), ...table.settings })
    })
    afterAll(() => service.close())
    afterEach(() => service.control.clearFaults())

    const open = (journey: Journey, late?: Late) => openAttempt(service, venue.id, journey, late)
    const stepOf = ({ stepMs = step }: Journey) => stepMs

    /** The response lists the payment in, the payment out, and nothing else. */
    const expectPayments = async (journey: Journey, { amount }: Attempt, paid: CarriedOut, status: SwapStatus, out: PaidOut) => {
      const { from, took: token = from.token, tookAmount, isExchanged } = journey
      const sum = isExchanged ? expect.stringMatching(/^[1-9]\d*$/) : (tookAmount ?? amount.toString())
      const final = expect.any(Boolean)
      const paidOut = { ...out, amount: out.amount.toString() }
      expect(status.payments).toEqual([
        { kind: 'input', chainId: from.chainId, token, amount: sum, txHash: paid.payment?.id ?? status.txHash, final },
        { ...paidOut, txHash: status.txHash, final },
      ])
      const [input] = status.payments ?? []
      if (isExchanged)
        await expectMovedBy(service, input?.txHash, { chainId: from.chainId, token, amount: BigInt(input?.amount ?? 0) })
    }

    /** The swap stays in one state, however far time runs ahead. */
    const staysIn = async (swap: Open, state: State): Promise<SwapStatus> => {
      for (const advanceMs of [MINUTE_MS, HOUR_MS, 48 * HOUR_MS]) {
        await service.control.advance(advanceMs)
        expect((await statusOf(service, swap)).status).toBe(state)
      }
      return statusOf(service, swap)
    }

    const expectSuccess = async (journey: Journey, attempt: Attempt, paid: CarriedOut) => {
      const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
      const seen = await follow(service, swap, { stepMs: stepOf(journey) })
      const end = lastOf(seen)
      expect(end).toMatchObject({ status: 'success', venue: venue.id })
      if (isAtOnce) expect([end.venueStatus, end.txHash]).toEqual([undefined, paid.ref])
      else expect(success).toContain(end.venueStatus)
      const delivered = BigInt(end.deliveredAmount ?? '-1')
      if (journey.isLeast) expect(delivered).toBeGreaterThanOrEqual(attempt.output)
      else if (journey.isExchanged) expect(delivered).toBeGreaterThanOrEqual(attempt.minimum)
      else expect(delivered).toBe(attempt.output)
      await expectPaidBy(service, end.txHash, { ...journey.to, to: attempt.recipient, amount: delivered })
      expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, delivered }))
      await expectPayments(journey, attempt, paid, end, { kind: 'output', ...journey.to, amount: delivered })
      return statesOf(seen)
    }

    const expectEnding = async (journey: Journey, attempt: Attempt, ending: Ending, paid: CarriedOut) => {
      const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
      const last = ending.states.at(-1) ?? 'unknown'
      const stepMs = ending.stepMs ?? (last === 'refunded' || last === 'expired' ? LONG_STEP_MS : stepOf(journey))
      const seen = await follow(service, swap, { stepMs, until: last, mayGoBack: ending.mayGoBack ?? false })
      expect(statedOf(statesOf(seen), ending)).toEqual(ending.states)
      for (const { deliveredAmount } of seen) expect(deliveredAmount).toBeUndefined()
      const stayed = await staysIn(swap, last)
      if (ending.venueStatus) expect(stayed.venueStatus).toBe(ending.venueStatus)
      if (TERMINAL.includes(last)) expect(withoutFinality(stayed)).toEqual(withoutFinality(lastOf(seen)))
      const taken = ending.untaken ? 0n : attempt.amount
      const [refunded, delivered] = [ending.refunded?.(attempt) ?? 0n, ending.delivered?.(attempt) ?? 0n]
      const returned = refunded + (ending.beside ?? 0n)
      expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, taken, refunded: returned, delivered }))
      if (last !== 'refunded') return
      // Of the input chain.
      if (stayed.txHash !== undefined) expect(stayed.txHash).toMatch(HASHES[kindOf(journey.from.chainId)])
      const back = { chainId: journey.from.chainId, token: journey.took ?? journey.from.token, amount: refunded }
      await expectPayments(journey, attempt, paid, stayed, { kind: 'refund', ...back })
      expect(stayed.payments?.map(({ final }) => final)).toEqual([true, true])
    }

    /** Pays, removes the payment from its chain, and returns what sends the same transaction again. */
    const payAndUndo = async (journey: Journey, attempt: Attempt, { afterMs = 1 }: Reorg) => {
      const paid = await attempt.pay()
      const id = paid.payment?.id ?? expect.fail('nothing was sent')
      const { chainId } = journey.from
      const state = async () => (await statusOf(service, { quoteToken: attempt.quoteToken, ref: paid.ref })).status
      await service.control.advance(afterMs)
      expect(['pending', 'processing']).toContain(await state())
      if (chainId === BITCOIN) {
        const hex = await bitcoinHex(service, id)
        expect(await service.control.reorg({ chainId, drop: 'unconfirmed' })).toContain(id)
        return { paid, state, sendAgain: async () => expect(await broadcastBitcoin(service, hex)).toBe(id) }
      }
      const rpcUrl = service.control.rpcUrl(chainId)
      const bytes = await evmBytes(rpcUrl, id)
      expect(await reorganiseEvm(service, chainId, id)).toContain(id)
      return { paid, state, sendAgain: async () => expect(await resendEvm(rpcUrl, bytes)).toBe(id) }
    }

    describe.each(IS_QUICK ? journeys.slice(0, 1) : journeys)('$title', (journey) => {
      if (IS_QUICK || journey !== journeys[0])
        it('is quoted, executed, paid by a real wallet and delivered, to the unit [venue-journey]', async () => {
          const attempt = await open(journey)
          const { offer, execution, quoteToken, minimum, output } = attempt
          const input = { amount: journey.from.amount }
          expect(offer).toMatchObject({ venue, executable: true, input, fee: { bps: 0, amount: '0' } })
          expect([minimum > 0n, minimum <= output, offer.slippage?.isFirm]).toEqual([true, true, table.isFirm ?? true])
          expect(execution.executionType).toBe(journey.payload)
          if (offer.approval) expect(offer.approval).toMatchObject({ token: journey.from.token, ...input })
          if (execution.executionType === 'DEPOSIT') {
            expect(execution.deposit).toMatchObject({ address: execution.statusRef })
            expect((await statusOf(service, { quoteToken, ref: execution.statusRef })).status).toBe('pending')
          } else expect(execution.approval).toEqual(offer.approval)
          // One repeat a venue: the engine's tables prove the rest.
          if (journey === journeys[0]) expect(await service.call('execute', { body: { quoteToken } })).toEqual(execution)

          const paid = await attempt.pay()
          const taken = journey.payload === 'SIGNATURE' ? 0n : attempt.amount
          expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, taken, delivered: isAtOnce ? output : 0n }))
          const seen = await expectSuccess(journey, attempt, paid)
          const states = journey.states ?? usual
          // A quick chain may have confirmed the payment before the first status request.
          expect(seen).toEqual(isAtOnce && seen.length < states.length ? states.slice(-1) : states)
          const spender = offer.approval?.spender
          const spent = { token: journey.from.token, owner: attempt.sender, spender: spender ?? '' }
          if (spender) expect(await allowanceOf(service.control.rpcUrl(journey.from.chainId), spent)).toBe(0n)
        })

      if (IS_QUICK) return

      const endings = Object.entries(journey.troubles ?? {}) as [FaultName, Ending][]
      it.each(endings)(
        'with the fault %s ends as documented, and the money is there [venue-faults-end]',
        async (fault, ending) => {
          const attempt = await open(journey)
          if (!ending.untilSound) await service.control.fault(venue.id, fault)
          const paid = await attempt.pay()
          await service.control.clearFaults()
          if (!ending.untilSound) return expectEnding(journey, attempt, ending, paid)
          const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
          await follow(service, swap, { stepMs: stepOf(journey), until: 'processing' })
          await service.control.fault(venue.id, fault)
          expect((await staysIn(swap, 'processing')).venueStatus).toBe(ending.venueStatus)
          await service.control.clearFaults()
          await expectSuccess(journey, attempt, paid)
        },
      )

      const reorgs = journey.reorg ? [journey.reorg] : []
      it.each(reorgs)(
        'whose payment a reorganization removed leaves everything in the wallet [venue-faults-end]',
        async (reorg) => {
          const attempt = await open(journey)
          const { paid, state, sendAgain } = await payAndUndo(journey, attempt, reorg)
          for (const advanceMs of reorg.pending) {
            await service.control.advance(advanceMs)
            expect(await state()).toBe('pending')
          }
          for (const advanceMs of reorg.failed ?? []) {
            await service.control.advance(advanceMs)
            expect(await state()).toBe('failed')
          }
          const cost = paid.approvals.reduce((sum, approval) => sum + approval.cost, 0n)
          expect(await attempt.changes()).toEqual(attempt.expected({ cost, taken: 0n }))
          if (!reorg.isRepaired) return
          await sendAgain()
          await expectSuccess(journey, attempt, paid)
        },
      )

      const moved = reorgs.filter(() => kindOf(journey.from.chainId) === 'evm')
      it.each(moved)('whose payment a reorganization moved to a later block succeeds [venue-faults-end]', async (reorg) => {
        const attempt = await open(journey)
        const { paid, state, sendAgain } = await payAndUndo(journey, attempt, reorg)
        expect(['pending', 'processing']).toContain(await state())
        await sendAgain()
        await expectSuccess(journey, attempt, paid)
      })

      const prices = journey.prices ? [journey.prices] : []
      it.each(prices)('at a price within the tolerance delivers at least the minimum [venue-faults-end]', async (price) => {
        const { currency, moved: now } = price
        const attempt = await open(journey)
        await service.control.setPrice(currency, now.usd)
        const paid = await attempt.pay()
        const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
        const end = lastOf(await follow(service, swap, { stepMs: stepOf(journey) }))
        await service.control.setPrice(currency, USUAL_USD[currency])
        const delivered = BigInt(end.deliveredAmount ?? '-1')
        expect([end.status, delivered >= attempt.minimum]).toEqual(['success', true])
        expect([delivered > attempt.output, delivered < attempt.output]).toEqual([now.isBetter, !now.isBetter])
        expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, delivered }))
      })

      it.each(prices)('at a price beyond the tolerance ends as documented [venue-faults-end]', async (price) => {
        const attempt = await open(journey)
        await service.control.advance(price.gone.afterMs ?? 1)
        await service.control.setPrice(price.currency, price.gone.usd)
        await expectEnding(journey, attempt, price.gone.ending, await attempt.pay())
        await service.control.setPrice(price.currency, USUAL_USD[price.currency])
      })

      const bound = Object.entries(journey.binds ?? {})
      it.each(bound)(
        'pays the %s address of the last call that may name it, %s [refund-address-of-quote]',
        async (party, call) => {
          const attempt = await open(journey, { [party]: call === 'execute' ? 'counts' : 'ignored' })
          if (party === 'recipient') return void (await expectSuccess(journey, attempt, await attempt.pay()))
          await service.control.fault(venue.id, 'never-fills')
          const { ref, cost } = await attempt.pay()
          await service.control.clearFaults()
          const seen = await follow(service, { quoteToken: attempt.quoteToken, ref }, { stepMs: LONG_STEP_MS })
          expect(lastOf(seen).status).toBe('refunded')
          const refunded = journey.troubles?.['never-fills']?.refunded?.(attempt) ?? attempt.amount
          expect(await attempt.changes()).toEqual(attempt.expected({ cost, refunded }))
        },
      )
    })

    if (IS_QUICK) return
    const [main] = journeys
    const quoteMain = async () => {
      const destinationAddress = newAddress(kindOf(main.to.chainId))
      const userAddress = (await newWallet(service, main)).address
      return (await quoteFor(service, venue.id, main, { userAddress, destinationAddress })).quoteToken
    }
    const outcome = buildsAlone ? '/execute needs no answer' : '/execute asks for a fresh quote, and the venue stays healthy'
    it.each(['/', ...(table.switches ?? [])])(
      `that halts after the quote by the answers of %s: ${outcome} [venue-faults-end]`,
      async (path) => {
        const [quoteToken, other] = [await quoteMain(), await quoteMain()]
        const execute = (token: string) => service.send('POST', '/api/v1/execute', { body: { quoteToken: token } })
        await service.control.fault(venue.id, 'halt', { path })
        if (!buildsAlone) {
          // More in a row than a venue may fail.
          for (let i = 0; i < 6; i += 1)
            expect(expectFailure(await execute(quoteToken), 410, 'QUOTE_EXPIRED')).toMatchObject({
              venue: venue.id,
              reason: 'noLiquidity',
            })
          const { venues } = await service.call('health')
          expect(venues.find(({ id }) => id === venue.id)).toMatchObject({ healthy: true })
          await service.control.clearFaults()
        }
        expect((await execute(other)).status).toBe(200)
      },
    )
  })
}
