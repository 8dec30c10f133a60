import { answerParent } from './parent.ts'

/** Imported ahead of a program that knows nothing of the benchmark, so that it can be asked for its memory. */
answerParent(null)
