// Package cut holds the last records of a document back until it is known that none of them was cut off.
package cut

import (
	"slices"

	"rollcall/ingest/decode"
	"rollcall/ingest/mapping"
)

// Waiting holds the newest records of a document back until those behind them come: the last one is not to be believed
// where the document may have been cut off within it, as half an amount is a wrong amount. Records that were nested in
// one row wait together.
// The cost is one record of delay. Without it a bond of $10,000 that is cut off behind its first digits would be one of $10.
type Waiting struct {
	Groups       bool // neighbouring rows make one record
	before, last []readRow
}

// readRow is a record and what becomes of it when it is whole.
type readRow struct {
	rec  *decode.Record
	take func() error
}

func takeAll(rows []readRow) error {
	for _, r := range rows {
		if err := r.take(); err != nil {
			return err
		}
	}
	return nil
}

// Next takes what is known to be whole and lets a record wait.
func (w *Waiting) Next(rec *decode.Record, take func() error) error {
	if len(w.last) > 0 && w.last[0].rec.Row != rec.Row {
		// Of records of several rows even the one before may go on: its last row may be the one that is cut off.
		sure := w.last
		if w.Groups {
			sure = w.before
		}
		if err := takeAll(sure); err != nil {
			return err
		}
		w.before, w.last = w.last, w.before[:0]
	}
	w.last = append(w.last, readRow{rec, take})
	return nil
}

// End takes the rest, and rejects what may be cut off for a reason that is not empty. A row that stands alone in its
// record may belong to the one before: its key may be cut, too.
func (w *Waiting) End(facts *decode.Facts, cut string, reject func(*mapping.Rejected) error) error {
	// What is left is the last record, and of grouped rows the one before it.
	half := w.last
	if w.Groups && len(w.last) > 0 && w.last[0].rec.Row == facts.LastRow {
		half = slices.Concat(w.before, w.last)
	} else if w.Groups {
		if err := takeAll(w.before); err != nil {
			return err
		}
	}
	for _, r := range half {
		if cut != "" && r.rec.Bad == "" {
			r.take = func() error { return reject(&mapping.Rejected{Reason: cut, Line: r.rec.Line, Raw: r.rec.Raw()}) }
		}
		if err := r.take(); err != nil {
			return err
		}
	}
	return nil
}
