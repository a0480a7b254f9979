package models

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Rehearsal is what a snapshot would do, for the operator who decides about it. It names people.
type Rehearsal struct {
	Applied
	Complete bool
	Gone     []Gone // who would be released, or hidden in the corrections family; the first of them by name
}

// Gone is a record that a snapshot would close.
type Gone struct {
	ID       string     `json:"id"`
	Name     string     `json:"name"`
	Since    *time.Time `json:"since"` // of the booking; null for a corrections record
	Inferred bool       `json:"inferred"`
}

// maxGone bounds how many records a rehearsal lists; the counts are whole.
const maxGone = 1000

// errRehearsed rolls a rehearsal back.
var errRehearsed = errors.New("rehearsed")

// rehearse tells what was done, and then undoes it by its error.
func (st *staging) rehearse(ctx context.Context, family Family) error {
	query := `select b.id, b.name, b.booked_at, b.release_inferred from bookings b
 where b.gen = $1 and b.released_at is not null and exists (select from record_changes h where h.family = 'roster' and h.record = b.rid and h.run_id = $2
  and h.field = 'released_at' and h.before is null and h.at = $3) order by b.name, b.id limit $4`
	switch family {
	case Corrections:
		query = `select c.gdc_id, c.name, null::timestamptz, true from corrections_records c where c.gen = $1 and c.withheld = '` + Vanished + `' and $2 <> 0 and $3 is not null order by c.name_key, c.gdc_id limit $4`
	case Courts:
		query = ``
	}
	out := Rehearsal{Applied: st.applied, Complete: st.verdict.Complete}
	if query != "" {
		rows, err := st.tx.Query(ctx, query, st.applied.Generation, st.RunID, st.Now, maxGone)
		if err != nil {
			return fmt.Errorf("list who would be gone: %w", err)
		}
		if out.Gone, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Gone]); err != nil {
			return fmt.Errorf("list who would be gone: %w", err)
		}
	}
	st.Rehearse(out)
	return errRehearsed
}
