import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { NetworkName } from '../../engine/core/networkName.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import { fakeTime, realTime } from './raceTime.ts'
import { aNewSwap } from './storedSwap.ts'
import { PLACES } from './stores.ts'
import { createTestClock } from './testEngine.ts'

/** Stores and folders that close with the test that opens them. */

/** A new folder, which is removed after the test. */
export const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'swap-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns its argument, which is closed after the test. */
export const closing = <T extends { close(): unknown }>(opened: T): T => {
  onTestFinished(async () => void (await opened.close()))
  return opened
}

/** Fakes time until the end of the test. */
export const fakeTimeHere = (): void => {
  fakeTime()
  onTestFinished(realTime)
}

export const openFileStore = async (file: string, network: NetworkName = 'simnet') =>
  closing(await openSqliteStore({ file, network }, createTestClock()))

/** Empty records in the database that the suite runs over, and a store over them. */
export const startStore = async () => {
  const [place, clock] = [await PLACES[0]?.[1](), createTestClock()]
  if (place === undefined) throw new Error('the suite runs over no database')
  onTestFinished(place.remove)
  const open = async (network?: NetworkName) => closing(await place.open(clock, network))
  const store = await open()
  return { ...store, store, clock, place, open }
}

/** The same with `count` swaps, and their ids. */
export const withSwaps = async (count: number) => {
  const stage = await startStore()
  const ids: number[] = []
  while (ids.length < count) ids.push((await stage.swaps.add(await aNewSwap({ bindingKey: `b${ids.length}` }))).id)
  return { ...stage, ids: ids as [number, number, number] }
}

/** Lets the event loop turn. */
export const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}
