/** An answer that a live venue once gave, with the order it was given for. */
export type RecordedAnswer = {
  readonly name: string
  /** Where the recording is published. */
  readonly source: string
  /** Day of the recording, such as `2026-10-02`; null when its source does not tell. */
  readonly recordedAt: string | null
  /** Why it is rightly refused; left out for one that must be accepted. */
  readonly refusedBecause?: string
  /** What the refusal must say, so that a recording that merely fails to run is not taken for one rightly refused. */
  readonly refusedWith?: RegExp
  /**
   * Takes the answer through the adapter's quote, and through decode and proof as far as the recording allows. Rejects with
   * the reason when it is refused.
   */
  run(): Promise<void>
}
