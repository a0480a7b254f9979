//go:build !race

// Package race says whether the race detector watches. It slows a test five to ten times, and the same test runs without it
// as well. So a test that goes through many alike cases takes a part of them under it. It is for tests only.
package race

// On is true where the race detector watches.
const On = false
