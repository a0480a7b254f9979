package engine

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"rollcall/models"
	"rollcall/models/db"
)

// Incoming is a row of a snapshot as it is staged: what statements compare, and the row itself for Go.
type Incoming struct {
	Line        int64
	Key         string
	County      int16
	SaidAt      time.Time
	Fingerprint []byte
	NameKey     string
	DOB         *models.Date
	BookedAt    *time.Time
	PersonKey   string
	Number      string
	Row         any // encoded as JSON
}

var incomingColumns = []string{"ord", "line", "key", "county_id", "said_at", "fingerprint", "name_key", "dob", "booked_at", "person_key", "number", "row"}

// stage copies rows into the table of incoming rows and gives their number. A row is read while those before it are encoded
// and sent.
func (s *Session) stage(ctx context.Context, rows iter.Seq2[Incoming, error]) (int, error) {
	for _, name := range []string{"raise_sort_memory", "create_incoming", "index_incoming"} {
		if err := s.Do(ctx, name, nil); err != nil {
			return 0, err
		}
	}
	n, err := db.Copy(ctx, s.Tx, "incoming", incomingColumns, values(rows))
	if err != nil {
		return 0, err
	}
	return int(n), s.Do(ctx, "analyze_incoming", nil)
}

// values are the columns of incoming rows, numbered in their order.
func values(rows iter.Seq2[Incoming, error]) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		var ord int64
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			ord++
			if !yield([]any{
				ord, r.Line, r.Key, OrNull(r.County), r.SaidAt, r.Fingerprint, OrNull(r.NameKey), r.DOB, r.BookedAt, OrNull(r.PersonKey), OrNull(r.Number), asJSON{r.Row},
			}, nil) {
				return
			}
		}
	}
}

// asJSON is a value that is encoded as JSON when it is sent.
type asJSON struct{ value any }

// TextValue encodes the value for a column of texts.
func (j asJSON) TextValue() (pgtype.Text, error) {
	text, err := json.Marshal(j.value)
	return pgtype.Text{String: string(text), Valid: true}, err
}
