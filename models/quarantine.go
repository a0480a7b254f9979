package models

import "time"

// QuarantinedRow is a row that could not become a fact; Sealed is its raw text, encrypted.
type QuarantinedRow struct {
	Line   int64
	Field  string
	Reason string
	Sealed []byte
	Print  []byte   // keyed fingerprint of reason and text: the same again is counted; nil: kept each time
	Awaits *Awaited // the case or booking that it waits for, or nil
}

// QuarantineCount says how many rows of a source wait in quarantine for one reason.
type QuarantineCount struct {
	Field  string // empty: the row as a whole
	Reason string
	Rows   int // different ones
	Last   time.Time
	Times  int  // how often they were seen: a row that stays wrong is seen in every run
	Awaits bool // nothing is wrong with them: they wait for their court case or booking
}

// WaitingRow is a row in quarantine; Sealed is its raw text, encrypted.
type WaitingRow struct {
	Run, Line     int64
	Field, Reason string
	Times         int // how often it came
	Last          time.Time
	Sealed        []byte
}
