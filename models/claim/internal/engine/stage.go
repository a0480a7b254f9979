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

// Incoming is a row of a snapshot as it is staged: what statements compare, and the row itself, which only Go reads.
// Zero values become null.
type Incoming struct {
	// Line is the row's place in its document.
	Line int64
	// Key is the source's key of the record.
	Key string
	// KeyOnly is true of a row that names a key and lists nobody under it: a release by key.
	KeyOnly bool
	// County is the row's county; 0 where the family's records have none.
	County int16
	// SaidAt is the instant that the row speaks of.
	SaidAt time.Time
	// Fingerprint covers all that the row says. A row whose fingerprint is that of its claim says nothing new; nil: the row
	// is read whatever it says.
	Fingerprint []byte
	// NameKey is the folded name, by which candidates and newcomers are compared.
	NameKey string
	DOB     *models.Date // nil: not stated
	// BookedAt is the time of booking; nil for other families, and for a release that names only a key.
	BookedAt *time.Time
	// EndedAt is the release that a row of a booking states; nil: none.
	EndedAt *time.Time
	// PersonKey is the source's number of the person, normalised.
	PersonKey string
	// Number is the public number of the booking, normalised.
	Number string
	// Row is encoded as JSON.
	Row any
}

// incomingColumns are the columns of the temporary table that rows are copied into.
var incomingColumns = []string{"ord", "line", "key", "key_only", "county_id", "said_at", "fingerprint", "name_key", "dob", "booked_at", "ended_at", "person_key", "number", "row"}

// stage copies rows into the table of incoming rows and returns their number. A row is read while those before it are
// encoded and sent. Nothing is locked yet, so a slow source delays no other.
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

// values returns the columns of incoming rows, numbered in the order in which they come.
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
				ord, r.Line, r.Key, r.KeyOnly, OrNull(r.County), r.SaidAt, r.Fingerprint, OrNull(r.NameKey), r.DOB, r.BookedAt, r.EndedAt,
				OrNull(r.PersonKey), OrNull(r.Number),
				asJSON{r.Row},
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
