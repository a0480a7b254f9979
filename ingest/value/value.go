// Package value reads the texts of a source as what they mean: amounts of money, times of Georgia, ages and years of
// birth, addresses of the web. It also has the plain transforms that a document may name as steps. A text that may mean
// several things is refused, never guessed.
//
// The package is pure: no clock, network, database or source document. It imports models for dates and the zone alone;
// ingest/mapping decides which text of a row is read by which of these functions.
package value
