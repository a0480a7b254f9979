//go:build race

package race

// On is true where the race detector watches.
const On = true
