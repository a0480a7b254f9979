package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rollcall/models/snapshot"
	"rollcall/resolve"
)

// Row is a staged row that has to be looked at.
type Row[R any] struct {
	Line int64
	Data *R
}

// Group are the rows of one key, oldest first.
type Group[R any] struct {
	Key  string
	Rows []Row[R]
}

// Last is the newest row of the group.
func (g *Group[R]) Last() *R { return g.Rows[len(g.Rows)-1].Data }

// ChangedRows takes the rows that are not unchanged out of the database, in groups of one key, some thousands at once,
// and counts the others.
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

// fetchGroups reads the next rows behind groups that may go on.
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

// AnotherPerson is why a row is refused whose key belongs to somebody else.
const AnotherPerson = "the key is known for another person"

// SamePerson asks Same where two descriptions differ at all.
func (r *Run) SamePerson(known, row snapshot.Identity) bool {
	same := known.Name == row.Name && (known.DOB == nil || row.DOB == nil || *known.DOB == *row.DOB)
	return same || resolve.Same(known, row)
}
