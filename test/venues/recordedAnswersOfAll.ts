import type { RecordedAnswer } from '../support/recordedAnswers.ts'
import { recordedAnswers as across } from './across/recordedAnswers.ts'
import { recordedAnswers as bebop } from './bebop/recordedAnswers.ts'
import { recordedAnswers as chainflip } from './chainflip/recordedAnswers.ts'
import { recordedAnswers as cow } from './cow/recordedAnswers.ts'
import { recordedAnswers as debridge } from './debridge/recordedAnswers.ts'
import { recordedAnswers as jupiter } from './jupiter/recordedAnswers.ts'
import { recordedAnswers as kyberswap } from './kyberswap/recordedAnswers.ts'
import { recordedAnswers as lifi } from './lifi/recordedAnswers.ts'
import { recordedAnswers as mayan } from './mayan/recordedAnswers.ts'
import { recordedAnswers as nearIntents } from './near-intents/recordedAnswers.ts'
import { recordedAnswers as relay } from './relay/recordedAnswers.ts'
import { recordedAnswers as thorchain } from './thorchain/recordedAnswers.ts'
import { recordedAnswers as uniswapx } from './uniswapx/recordedAnswers.ts'
import { recordedAnswers as zerox } from './zerox/recordedAnswers.ts'

/** By venue id. */
export const RECORDED_ANSWERS: { readonly [venue: string]: readonly RecordedAnswer[] } = {
  across,
  bebop,
  chainflip,
  cow,
  debridge,
  kyberswap,
  jupiter,
  lifi,
  mayan,
  'near-intents': nearIntents,
  relay,
  thorchain,
  zerox,
  uniswapx,
}
