import { createRequire } from 'node:module'
import type * as axe from 'axe-core'
import { chromium, type Browser as PlaywrightBrowser, type Page as PlaywrightPage } from 'playwright-core'
import { CHROMIUM } from '../support/needs.ts'

export type Browser = PlaywrightBrowser
export type Page = PlaywrightPage
export type AxeResults = axe.AxeResults

/** The script that finds violations of accessibility in a page. */
export const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** A profile of its own comes with every launch. Nothing but this machine is reached. */
export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
