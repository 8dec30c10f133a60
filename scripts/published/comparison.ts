/** What one venue's own packages say against what we wrote down. */
export type Comparison = {
  readonly venue: string
  readonly packages: readonly string[]
  readonly compared: number
  readonly differences: readonly { readonly what: string; readonly ours: string; readonly theirs: string }[]
}
