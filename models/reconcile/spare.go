package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"rollcall/match"
	"rollcall/models"
)

// stagedKeys are the columns by which a row that is rejected names its record.
var stagedKeys = map[models.Family]string{models.Roster: "booking_key", models.Courts: "case_number", models.Corrections: "gdc_id"}

// stagedStatistics are the columns by which staged rows are joined and filtered; none: all. What is known of the
// rest, lists above all, would cost more than it is worth.
var stagedStatistics = map[models.Family]string{models.Roster: ` (ord, booking_key, county_id, booked_at, released_at, withheld, seen_at)`}

// judge looks at the verdict again when the identity guard is through: a snapshot of which too many rows
// were refused proves nobody's absence. It comes before all that reads the verdict.
func (st *staging) judge(context.Context) error {
	n := 0
	for _, r := range st.applied.Rejected {
		if r.Awaits == nil {
			n++
		}
	}
	if n > 0 && st.Refuse != nil && st.Refuse(n) {
		st.verdict.Complete = false
	}
	return nil
}

// spared joins whom unreadable rows and refused rows speak of.
func (st *staging) spared() models.Spared {
	s := st.Spared()
	return models.Spared{Keys: slices.Concat(s.Keys, st.refused.Keys), Names: slices.Concat(s.Names, st.refused.Names)}
}

// children are the keys of bookings of whom unreadable rows speak as of somebody under 17.
func (st *staging) children() []string {
	if st.Spared == nil {
		return nil
	}
	return st.Spared().Children
}

// sparedKeys are the keys of all whom rows may speak of that could not be taken. query lists the absent
// whose name begins with the first word of one of the names: key, known name, name of the row ($1 is the
// source, $2 the names, $3 their first words). They are few, so that names can be compared with care.
func (st *staging) sparedKeys(ctx context.Context, query string) ([]string, error) {
	s := st.spared()
	if len(s.Names) == 0 {
		return s.Keys, nil
	}
	rows, err := st.tx.Query(ctx, query, st.SourceID, s.Names, firstWords(s.Names))
	if err != nil {
		return nil, fmt.Errorf("look for spared names: %w", err)
	}
	var key string
	var known, row models.Identity
	_, err = pgx.ForEachRow(rows, []any{&key, &known.Name, &row.Name}, func() error {
		if st.Same(known, row) {
			s.Keys = append(s.Keys, key)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for spared names: %w", err)
	}
	return s.Keys, nil
}

func firstWords(names []string) []string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i], _, _ = strings.Cut(match.SearchKey(name), " ")
	}
	return words
}
