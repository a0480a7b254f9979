// Package corpus holds a sample of invented people in the shape of each vendor that is known, with its quirks. It
// has no code of its own: its test takes every shape through the whole pipeline, damages the second of three snapshots in
// every way that real sources were seen to be damaged, and says what became of each (docs/sources-corpus.md).
//
// A shape is a folder with shape.yaml (which document reads it, what it states, which mishaps it cannot notice), sample.tmpl
// (how it writes one snapshot) and samples (the first snapshot, as the test writes it). Shapes that no shipped document reads
// have a source.yaml of their own.
package corpus
