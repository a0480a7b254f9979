package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Row is a staged row that came back from the server because it may say something new.
type Row[R any] struct {
	// Line is the row's place in its document, for the report of refused rows.
	Line int64
	Data *R // as it was mapped
}

// Group holds the rows of one key, oldest first. It is never empty.
type Group[R any] struct {
	Key  string   // that the rows share
	Rows []Row[R] // oldest first
}

// Last returns the newest row of the group.
func (g *Group[R]) Last() *R { return g.Rows[len(g.Rows)-1].Data }

// ChangedRows calls do with the rows that may say something new, in groups of one key and some thousands at once. Rows
// whose fingerprint is that of their claim stay on the server and are counted as unchanged; a key that comes more than
// once is read whatever its rows say. The last call may have no groups. An error of do ends the reading.
func ChangedRows[R any](ctx context.Context, r *Run, do func([]Group[R]) error) error {
	if err := r.Do(ctx, "changed_rows", Args{"source": r.SourceID, "repeated": r.Repeats}); err != nil {
		return err
	}
	read := 0
	var left []Group[R] // the last key, which may go on
	for {
		n, groups, err := fetchGroups(ctx, r, left)
		if err != nil {
			return err
		}
		if read += n; n == 0 {
			break
		}
		last := len(groups) - 1
		if err := do(groups[:last]); err != nil {
			return err
		}
		left = groups[last:]
	}
	if err := do(left); err != nil {
		return err
	}
	r.Applied.Unchanged += r.Applied.Rows - read
	r.Impact.Known += r.Applied.Rows - read
	return r.Do(ctx, "close_changed_rows", nil)
}

// fetchGroups appends the next rows to groups, whose last key may go on, and returns how many rows it read; 0 at the end.
func fetchGroups[R any](ctx context.Context, r *Run, groups []Group[R]) (n int, _ []Group[R], err error) {
	rows, err := r.Query(ctx, "fetch_changed_rows", nil)
	if err != nil {
		return 0, nil, fmt.Errorf("fetch rows: %w", err)
	}
	var ord, line int64
	var key string
	var text []byte
	_, err = pgx.ForEachRow(rows, []any{&ord, &line, &key, &text}, func() error {
		n++
		data := new(R)
		if err := json.Unmarshal(text, data); err != nil {
			return err
		}
		if last := len(groups) - 1; last < 0 || groups[last].Key != key {
			groups = append(groups, Group[R]{Key: key})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, Row[R]{Line: line, Data: data})
		return nil
	})
	if err != nil {
		return 0, nil, fmt.Errorf("fetch rows: %w", err)
	}
	return n, groups, nil
}

// AnotherPerson is the reason of a refused row whose key belongs to another person (FEEDS.md, guarantee 6).
const AnotherPerson = "the key is known for another person"

// SamePerson reports whether two descriptions can be of one person. It asks resolve.Same only where they differ at all, as
// most rows repeat the name to the letter.
func (r *Run) SamePerson(known, row snapshot.Identity) bool {
	same := known.Name == row.Name && (known.DOB == nil || row.DOB == nil || *known.DOB == *row.DOB)
	return same || resolve.Same(known, row)
}
