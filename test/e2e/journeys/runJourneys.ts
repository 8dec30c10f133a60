import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { allowanceOf } from '../../../scripts/client/evm.ts'
import { type CarriedOut, follow, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { BITCOIN, NATIVE } from '../../../scripts/client/tokens.ts'
import type { SwapStatus } from '../../../scripts/client/wire.ts'
import { expectFailure } from '../../support/expectFailure.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { expectHalted, MINUTE_MS, staysIn } from '../support.ts'
import { type Attempt, kindOf, type Late, newParties, openAttempt, placeContract, quoteFor } from './attempt.ts'
import { expectMovedBy, expectPaidBy, expectRefundHash, told } from './delivery.ts'
import type { Ending, Journey, Reorg, State, VenueJourneys } from './journey.ts'
import { undoPayment } from './undoPayment.ts'

const TERMINAL: readonly State[] = ['success', 'refunded', 'failed']
/** `npm test` has the first journey of each venue; the other tiers have the rest. */
const IS_QUICK = process.env['SWAP_TEST_TIER'] === 'quick'
const LONG_STEP_MS = 10 * MINUTE_MS
/** Lies of a venue's answers are tried on its first journey: the engine judges them alike on every route. */
const LIES: readonly FaultName[] = ['lying-success', 'short-fill', 'unknown-status']

/** Until its block counts, a refund is owed. Whether a look falls into that time is chance, where the table is silent on it. */
const statedOf = (seen: readonly string[], { states }: Ending): readonly string[] =>
  states.at(-1) === 'refunded' && !states.includes('expired') ? seen.filter((state) => state !== 'expired') : seen

/**
 * Takes a venue from quote to the end, as a client makes the swap: over HTTP alone, with a real wallet library for each
 * chain, and money counted to the unit on both sides. What it must show is data, in a file per venue.
 */
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

    /** That the answer lists what was paid in, and what was paid out for it, and no more. */
    const expectPayments = async (
      { from, took, tookAmount, isExchanged }: Journey,
      { amount }: Attempt,
      { payment }: CarriedOut,
      { status, out }: { status: SwapStatus; out: { kind: 'output' | 'refund'; chainId: number; token: string; amount: bigint } },
    ) => {
      const [input] = status.payments ?? []
      const token = took ?? from.token
      const paidOut = { ...out, token: out.token === 'BTC' ? NATIVE : out.token, amount: out.amount.toString() }
      const sum = isExchanged ? expect.stringMatching(/^[1-9]\d*$/) : (tookAmount ?? amount.toString())
      const txHash = payment?.id ?? status.txHash
      expect(status.payments).toEqual([
        { kind: 'input', chainId: from.chainId, token, amount: sum, txHash, final: expect.any(Boolean) },
        { ...paidOut, txHash: status.txHash, final: expect.any(Boolean) },
      ])
      if (isExchanged)
        await expectMovedBy(service, input?.txHash, { chainId: from.chainId, token, amount: BigInt(input?.amount ?? 0) })
    }

    /** Follows a paid attempt to a success, and to the unit. */
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
      await expectPayments(journey, attempt, paid, { status: end, out: { kind: 'output', ...journey.to, amount: delivered } })
      return { swap, seen, end }
    }

    /** Follows a paid attempt to an end that is no success, where it stays, and counts the money. */
    const expectEnding = async (journey: Journey, attempt: Attempt, ending: Ending, paid: CarriedOut) => {
      const { ref, cost } = paid
      const swap = { quoteToken: attempt.quoteToken, ref }
      const last = ending.states.at(-1) ?? 'unknown'
      const stepMs = ending.stepMs ?? (last === 'refunded' || last === 'expired' ? LONG_STEP_MS : stepOf(journey))
      const seen = await follow(service, swap, { stepMs, until: last, mayGoBack: ending.mayGoBack ?? false })
      expect(statedOf(statesOf(seen), ending)).toEqual(ending.states)

      if (last === 'refunded') expectRefundHash(journey.from.chainId, lastOf(seen).txHash)
      for (const { deliveredAmount } of seen) expect(deliveredAmount).toBeUndefined()
      const stayed = await staysIn(service, swap, last)
      if (ending.venueStatus) expect(stayed.venueStatus).toBe(ending.venueStatus)
      if (TERMINAL.includes(last)) expect(told(stayed)).toEqual(told(lastOf(seen)))
      const taken = ending.untaken ? 0n : attempt.amount
      const [refunded, delivered] = [ending.refunded?.(attempt) ?? 0n, ending.delivered?.(attempt) ?? 0n]
      expect(await attempt.changes()).toEqual(attempt.expected({ cost, taken, refunded, delivered }))
      const back = { chainId: journey.from.chainId, token: journey.took ?? journey.from.token, amount: refunded }
      if (last === 'refunded') await expectPayments(journey, attempt, paid, { status: stayed, out: { kind: 'refund', ...back } })
      if (last === 'refunded') expect(stayed.payments?.map(({ final }) => final)).toEqual([true, true])
    }

    describe.each(IS_QUICK ? journeys.slice(0, 1) : journeys)('$title', (journey) => {
      if (IS_QUICK || journey !== journeys[0])
        it('is quoted, executed, paid by a real wallet and delivered, to the unit [venue-journey]', async () => {
          const attempt = await open(journey)
          const { offer, execution, quoteToken, minimum, output } = attempt
          expect(offer).toMatchObject({
            venue,
            executable: true,
            input: { amount: journey.from.amount },
            fee: { bps: 0, amount: '0' },
          })
          if (journey.output !== undefined) expect(offer.output.amount).toBe(journey.output)
          expect([minimum > 0n, minimum <= output, offer.slippage?.isFirm]).toEqual([true, true, table.isFirm ?? true])
          expect(execution.executionType).toBe(journey.payload)
          expect(offer.approval?.spender).toBe(journey.spender)
          if (offer.approval) expect(offer.approval).toMatchObject({ token: journey.from.token, amount: journey.from.amount })
          if (execution.executionType === 'DEPOSIT') expect(execution.deposit).toMatchObject({ address: execution.statusRef })
          else expect(execution.approval).toEqual(offer.approval)
          if (execution.executionType === 'DEPOSIT')
            expect((await statusOf(service, { quoteToken, ref: execution.statusRef })).status).toBe('pending')
          if (execution.executionType === 'TRANSACTION') {
            const { serialized } = execution.transaction
            expect(execution.transaction).toMatchObject({
              chainId: journey.from.chainId,
              ...(serialized && { value: '0', data: serialized }),
            })
            if (journey.paysTo) expect(execution.transaction.to).toBe(journey.paysTo)
          }
          // The same payload however often it is asked for.
          if (journey === journeys[0]) expect(await service.call('execute', { body: { quoteToken } })).toEqual(execution)

          const paid = await attempt.pay()
          const taken = journey.payload === 'SIGNATURE' ? 0n : attempt.amount
          const delivered = isAtOnce ? output : 0n
          expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, taken, delivered }))
          const { seen } = await expectSuccess(journey, attempt, paid)
          const spent = { token: journey.from.token, owner: attempt.sender, spender: journey.spender ?? '' }
          if (journey.spender) expect(await allowanceOf(service.control.rpcUrl(journey.from.chainId), spent)).toBe(0n)
          const told = statesOf(seen)
          // A quick chain may have made the blocks that count before it is first looked at.
          const states = journey.states ?? usual
          const isQuick = isAtOnce && told.length < states.length
          expect(told).toEqual(isQuick ? states.slice(-1) : states)
          if (journey.venueStatuses) expect(seen.map(({ venueStatus }) => venueStatus)).toEqual(journey.venueStatuses)
        })

      if (IS_QUICK) return

      const isTried = (fault: FaultName) => journey === journeys[0] || !LIES.includes(fault)
      const endings = (Object.entries(journey.troubles ?? {}) as [FaultName, Ending][]).filter(([fault]) => isTried(fault))
      it.each(endings)(
        'with the fault %s it ends as it must, and the money is where that says [venue-faults-end]',
        async (fault, ending) => {
          const attempt = await open(journey)
          if (!ending.untilSound) await service.control.fault(venue.id, fault)
          const paid = await attempt.pay()
          await service.control.clearFaults()
          const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
          if (!ending.untilSound) return expectEnding(journey, attempt, ending, paid)
          await follow(service, swap, { stepMs: stepOf(journey), until: 'processing' })
          await service.control.fault(venue.id, fault)
          expect((await staysIn(service, swap, 'processing')).venueStatus).toBe(ending.venueStatus)
          await service.control.clearFaults()
          await expectSuccess(journey, attempt, paid)
        },
      )

      const reorgs = journey.reorg ? [journey.reorg] : []
      it.each<Reorg>(reorgs)(
        'whose payment a reorganisation took back is none, and the wallet has everything [venue-faults-end]',
        async (reorg) => {
          const attempt = await open(journey)
          const paid = await attempt.pay()
          const { ref, payment, approvals } = paid
          if (!payment) throw new Error('nothing was sent')
          const swap = { quoteToken: attempt.quoteToken, ref }
          await service.control.advance(reorg.afterMs ?? 1)
          expect(['pending', 'processing']).toContain((await statusOf(service, swap)).status)
          const sendAgain = await undoPayment(service, journey.from.chainId, payment.id)
          for (const [advanceMs, state] of reorg.told) {
            await service.control.advance(advanceMs)
            expect((await statusOf(service, swap)).status).toBe(state)
          }
          const kept = approvals.reduce((sum, approval) => sum + approval.cost, 0n)
          expect(await attempt.changes()).toEqual(attempt.expected({ cost: kept, taken: 0n }))
          if (!reorg.isRepaired) return
          await sendAgain()
          await expectSuccess(journey, attempt, paid)
        },
      )

      const moved = reorgs.filter(() => kindOf(journey.from.chainId) === 'evm')
      it.each(moved)('whose payment a reorganisation put into a later block is swapped all the same', async ({ afterMs = 1 }) => {
        const attempt = await open(journey)
        const paid = await attempt.pay()
        const { ref, payment } = paid
        if (!payment) throw new Error('nothing was sent')
        const swap = { quoteToken: attempt.quoteToken, ref }
        await service.control.advance(afterMs)
        await statusOf(service, swap)
        const sendAgain = await undoPayment(service, journey.from.chainId, payment.id)
        expect(['pending', 'processing']).toContain((await statusOf(service, swap)).status)
        await sendAgain()
        await expectSuccess(journey, attempt, paid)
      })

      const { prices } = journey
      if (prices) {
        const { currency, usual: usualPrice, moved, gone } = prices
        it('delivers what a price that moved within the tolerance gives, never less than the minimum', async () => {
          const attempt = await open(journey)
          await service.control.setPrice(currency, moved.usd)
          const paid = await attempt.pay()
          const swap = { quoteToken: attempt.quoteToken, ref: paid.ref }
          const end = lastOf(await follow(service, swap, { stepMs: stepOf(journey) }))
          await service.control.setPrice(currency, usualPrice)
          const delivered = BigInt(end.deliveredAmount ?? '-1')
          expect([end.status, delivered >= attempt.minimum]).toEqual(['success', true])
          expect([delivered > attempt.output, delivered < attempt.output]).toEqual([moved.isBetter, !moved.isBetter])
          expect(await attempt.changes()).toEqual(attempt.expected({ cost: paid.cost, delivered }))
        })

        it('ends as it must when the price has gone', async () => {
          const attempt = await open(journey)
          await service.control.advance(gone.afterMs ?? 1)
          await service.control.setPrice(currency, gone.usd)
          await expectEnding(journey, attempt, gone.ending, await attempt.pay())
          await service.control.setPrice(currency, usualPrice)
        })
      }

      const { refusesCoins } = journey
      if (refusesCoins)
        it('ends as it must when the recipient takes no coins, of which the network makes a note', async () => {
          const attempt = await open(journey)
          await placeContract(service, journey.to.chainId, attempt.recipient, 'refuses')
          const before = (await service.control.notices()).length
          await expectEnding(journey, attempt, refusesCoins, await attempt.pay())
          expect((await service.control.notices()).slice(before).join()).toMatch(/revert/)
        })

      const { recipient: bound, refund } = journey.binds ?? {}
      const preview = async (missing: 'destinationAddress' | 'refundAddress') => {
        const { recipient, refund: back } = newParties(journey)
        const { [missing]: late, ...named } = { destinationAddress: recipient, refundAddress: back }
        const { offer } = await quoteFor(service, venue.id, journey, named)
        expect(offer.executable).toBe(false)
        for (const given of [{}, { [missing]: late }]) {
          const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken: offer.quoteToken, ...given } })
          expect(expectFailure(answer, 422, 'QUOTE_NOT_EXECUTABLE')).toEqual({ missing: [missing] })
        }
      }

      if (bound)
        it('pays the recipient that the quote names, or execute where it still may', async () => {
          const attempt = await open(journey, { recipient: bound === 'execute' ? 'counts' : 'ignored' })
          await expectSuccess(journey, attempt, await attempt.pay())
        })

      const isFixed = bound === 'quote' && kindOf(journey.from.chainId) !== kindOf(journey.to.chainId)
      if (isFixed)
        it('without a recipient is a preview, which execute refuses, a late recipient or none', () =>
          preview('destinationAddress'))

      if (refund)
        it('is refunded to the address that the quote names, or execute where it still may [refund-address-of-quote]', async () => {
          const attempt = await open(journey, { refund: refund === 'execute' ? 'counts' : 'ignored' })
          await service.control.fault(venue.id, 'never-fills')
          const { ref, cost } = await attempt.pay()
          await service.control.clearFaults()
          const seen = await follow(service, { quoteToken: attempt.quoteToken, ref }, { stepMs: LONG_STEP_MS })
          expect(lastOf(seen).status).toBe('refunded')
          const refunded = journey.troubles?.['never-fills']?.refunded?.(attempt) ?? attempt.amount
          expect(await attempt.changes()).toEqual(attempt.expected({ cost, refunded }))
        })

      const mustNameRefund = refund === 'quote' && journey.from.chainId === BITCOIN
      if (mustNameRefund)
        it('without a refund address is a preview, which execute refuses, a late address or none', () => preview('refundAddress'))
    })

    if (IS_QUICK) return
    const [main] = journeys

    const ofEachPayload = journeys.filter(({ payload }, i) => journeys.findIndex((other) => other.payload === payload) === i)
    it.each(ofEachPayload)('$payload: execute accepts a quote of nine minutes ago, and the swap succeeds', async (journey) => {
      const attempt = await open(journey, { afterMs: 9 * MINUTE_MS })
      await expectSuccess(journey, attempt, await attempt.pay())
    })

    it('is not found by the payment of another swap', async () => {
      const [mine, other] = [await open(main), await open(main)]
      const [{ ref }, stranger] = [await mine.pay(), await other.pay()]
      expect(stranger.ref).not.toBe(ref)
      await service.control.advance(MINUTE_MS)
      expect((await statusOf(service, { quoteToken: mine.quoteToken, ref: stranger.ref })).status).toBe('not_found')
      const end = lastOf(await follow(service, { quoteToken: mine.quoteToken, ref }, { stepMs: stepOf(main) }))
      expect(end).toMatchObject({ status: 'success', deliveredAmount: mine.offer.output.amount })
    })

    const quoteMain = () => quoteFor(service, venue.id, main, { destinationAddress: newParties(main).recipient })
    const paths = ['/', ...(table.switches ?? [])]
    const away = buildsAlone ? 'execute needs it not' : 'execute asks for a fresh quote, and the venue is well'
    it.each(paths)(`that halts after the quote, told by %s: ${away} [venue-faults-end]`, async (path) => {
      const [{ offer }, { offer: other }] = [await quoteMain(), await quoteMain()]
      if (buildsAlone) await service.control.fault(venue.id, 'halt', { path })
      else await expectHalted(service, venue.id, { quoteToken: offer.quoteToken, path })
      const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken: other.quoteToken } })
      expect(answer.status).toBe(200)
    })
  })
}
